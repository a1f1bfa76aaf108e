"""The content folder: a whole site as files. Two verbs, ``import_content`` and ``export_content``.

A folder is read into a neutral library (``own_form.py``, or one file a dialect), and a library is
written into the site through publishing (``store.py``). The way back is ``collect.py``.
"""

from notesite.content.export import export_content
from notesite.content.importing import import_content

__all__ = ["export_content", "import_content"]
