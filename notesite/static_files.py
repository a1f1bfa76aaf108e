"""How static files are collected: sheets joined, names hashed, bodies compressed beforehand."""

import re

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = re.compile(r'^@import "(?P<name>[\w.-]+\.css)";\n', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)


class JoiningStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Puts the sheets that a sheet of ours imports in their place, so that a page asks for one.

    Uncollected, as in development, a browser follows the imports itself. Scripts may import each
    other: their names are replaced as well.
    """

    support_js_module_import_aggregation = True

    def post_process(self, paths, dry_run=False, **options):
        if not dry_run:
            for name in [name for name in paths if name.startswith("css/")]:
                source = self._read(paths, name)
                if IMPORT.search(source):
                    self.delete(name)
                    self.save(name, ContentFile(self._joined(paths, source).encode()))
                    paths[name] = self, name
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def _joined(self, paths, source):
        """``source`` with its imports in place, all from its own folder, and without comments."""
        joined = IMPORT.sub(
            lambda found: self._joined(paths, self._read(paths, f"css/{found['name']}")), source
        )
        return COMMENT.sub("", joined)

    def _read(self, paths, name):
        storage, path = paths[name]
        with storage.open(path) as file:
            return file.read().decode()
