#!/usr/bin/env python3
"""Every command of notesite: ``manage.py up`` makes and serves a site, ``help`` lists the rest."""

import os
import sys

WITHOUT_DATA_FOLDER = ["render", "help", "version", "--help", "--version"]


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "notesite.settings")
    if sys.argv[1:2] == ["up"]:
        from notesite.arguments import set_environment

        set_environment(sys.argv[2:])
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from notesite.installation import make_data_folder

    try:
        data_folder = settings.DATA_DIR
        if sys.argv[1:2] and sys.argv[1] not in WITHOUT_DATA_FOLDER:
            make_data_folder(data_folder)
    except ImproperlyConfigured as error:
        sys.exit(f"notesite can't start.\n{error}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
