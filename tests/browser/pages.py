"""One address of every kind of public page, with the sample library in the site."""

PATH = "/paths/from-action-to-learner/"
ADDRESSES = {
    "index": "/",
    "note": "/notes/molt/",
    "path": PATH,
    "note in a path": f"{PATH}polar/",
    "last note in a path": f"{PATH}molt/",
    "paths": "/paths/",
    "topic": "/topics/agent-rl-systems/",
    "topics": "/topics/",
    "archive": "/archive/",
    "about": "/about/",
    "not found": "/not-there/",
    "withdrawn": "/notes/taken-back/",
}
