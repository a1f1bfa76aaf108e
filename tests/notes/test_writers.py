from tests.drills.writers import Outcome, run_killed_writers, run_writers


def test_no_save_of_eight_writers_fails_or_is_lost(tmp_path):
    assert run_writers(tmp_path, writers=8, saves=150) == Outcome(1200, 1200, 1200)


def test_a_killed_writer_loses_nothing_and_leaves_nothing_half(tmp_path):
    outcome = run_killed_writers(tmp_path, writers=2, kills=4)
    assert outcome.acknowledged > 0
    # A writer may die between the commit and the word of it: once for each death.
    assert 0 <= outcome.counted - outcome.acknowledged <= 4 + 2
    assert outcome.revisions == outcome.counted
    assert outcome.integrity == "ok"
