import logging

from notesite.logs import WithoutTokens


def line(message, *arguments):
    record = logging.LogRecord("django", logging.ERROR, "", 1, message, arguments, None)
    assert WithoutTokens().filter(record)
    return record.getMessage()


def test_a_link_that_is_a_key_is_not_written_down():
    assert line("Not Found: %s", "/sign-in/abc-DEF_1/") == "Not Found: /sign-in/…/"
    assert line('"GET /preview/abc/note/ HTTP/1.1"') == '"GET /preview/…/note/ HTTP/1.1"'


def test_other_addresses_stay():
    assert line("Not Found: %s", "/notes/sign-in-safely/") == "Not Found: /notes/sign-in-safely/"
