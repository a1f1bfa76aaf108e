"""How much one note may ask for: counts, never the clock, so equal input gives equal output."""

SOURCE_BYTES = 5_000_000
SOURCE_LINES = 200_000
OUTPUT_BYTES = 20_000_000
BLOCK_DEPTH = 100  # quotes and lists inside each other
QUOTE_READINGS = 5  # of each line, on the average; a quote reads on to where it might end
INLINE_DEPTH = 12  # images, footnotes and links inside each other
INLINE_CHARACTERS = 100_000  # of one paragraph; the parser's time grows with their square
ELEMENT_DEPTH = 200  # elements inside each other, raw HTML included
REFERRED_CHARACTERS = 1_000_000  # addresses and titles of link references, each time they are used
INLINE_NOTES = 10_000  # `^[…]`
TABLE_CELLS = 20_000
FORMULAS = 4_000
FORMULA_CHARACTERS = 5_000
FORMULA_OUTPUT = 200_000  # characters of MathML; a macro can make much of little
FORMULAS_OUTPUT = 10_000_000  # of all formulas of a note
FORMULA_DEPTH = 100  # elements inside each other; browsers stop at some hundred
HIGHLIGHTED_CHARACTERS = 30_000  # of one code block
PROBLEMS = 200
TAKE_AWAYS = 200
ANCHOR_CHARACTERS = 80
