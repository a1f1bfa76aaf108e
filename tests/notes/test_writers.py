from tests.drills.writers import Outcome, run_writers


def test_no_save_of_eight_writers_fails_or_is_lost(tmp_path):
    assert run_writers(tmp_path, writers=8, saves=150) == Outcome(1200, 1200, 1200)
