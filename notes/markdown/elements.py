"""The elements of HTML by what we do with them: the allowlist, and what is known beside it."""


def names(text: str) -> frozenset[str]:
    """Names written as a sentence."""
    return frozenset(text.split())


ALLOWED = names(
    "a abbr aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl "
    "dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt "
    "ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u "
    "ul var wbr"
)
# Taken out without a word, because they only mark up text; their text stays.
HARMLESS = names(
    "acronym address article big body center data dir font footer head header hgroup html label "
    "main menu nav nobr picture search strike tt"
)
# Taken out, which is a problem: they run, load, submit or restyle.
REFUSED = names(
    "applet area audio base basefont bgsound blink button canvas datalist dialog embed fieldset "
    "form frame frameset iframe isindex keygen legend link listing map marquee math meta meter "
    "noembed noframes noscript object optgroup option output param plaintext portal progress "
    "script select slot source style svg template textarea title track video xmp"
)
# Taken out with their content, which is no text for a reader.
WITH_CONTENT = names("iframe noembed noscript script style template title")

# What follows them is read as plain characters, up to their end or that of the page.
SWALLOWING = names(
    "iframe noembed noframes noscript plaintext script style template textarea title xmp"
)

VOID = names("br col hr img input wbr")
# Their end need not be written: what follows ends them.
ENDED_BY_OTHERS = names("dd dt li option p rp rt tbody td tfoot th thead tr")
BLOCKS = names(
    "aside blockquote br caption dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol "
    "p pre section summary table td th tr ul"
)
# They get dir="auto" where a note has right-to-left text.
DIRECTED = names("blockquote dd dt figcaption h1 h2 h3 h4 h5 h6 li ol p summary td th ul")
AUTHORS_CLASSES = names("center lead narrow note small tip wide")
