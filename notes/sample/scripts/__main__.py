"""Rerun every computation of the sample library and draw its figures anew."""

from notes.sample.scripts import molt, polar, prorl_agent

for script in (prorl_agent, polar, molt):
    print(f"== {script.__name__.rpartition('.')[2]}")
    script.main()
