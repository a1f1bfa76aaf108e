import time

from tests.drills.writers import Outcome, run_killed_writers, run_writers


def test_no_save_fails_or_is_lost_for_minutes(tmp_path, minutes):
    end, rounds = time.monotonic() + minutes * 60, 0
    while time.monotonic() < end or not rounds:
        outcome = run_writers(tmp_path / f"{rounds}", writers=8, saves=150)
        assert outcome == Outcome(1200, 1200, 1200)
        rounds += 1
    print(f"{rounds} rounds of 8 writers × 150 saves: none failed, none lost")


def test_killed_writers_lose_nothing_for_minutes(tmp_path, minutes):
    end, kills, saves = time.monotonic() + minutes * 60, 0, 0
    while time.monotonic() < end or not kills:
        outcome = run_killed_writers(tmp_path / f"{kills}", writers=4, kills=25)
        assert 0 <= outcome.counted - outcome.acknowledged <= 25 + 4
        assert outcome.revisions == outcome.counted
        assert outcome.integrity == "ok"
        kills, saves = kills + 25, saves + outcome.acknowledged
    print(f"{kills} kills among {saves} acknowledged saves: none lost, none half-written")
