"""Words: tokens, stems, stop words, phrases, and the lexicon they come from."""
