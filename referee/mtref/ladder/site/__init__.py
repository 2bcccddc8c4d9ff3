"""A ladder as pages for a browser: `write_site` in `mtref.ladder.site.build` makes them, from the journal alone."""
