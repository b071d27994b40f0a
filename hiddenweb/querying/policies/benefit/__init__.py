"""Choosing the query that is expected to bring the most new records for what it costs.

What a word would bring is guessed from the known records that hold it, and the guesses are corrected by results
(`hiddenweb.querying.policies.expected_gain`). All frequent words are compared now and then, the most promising ones before every
query. An answer that was cut is refined by one more word, up to three (`hiddenweb.querying.policies.refinement`). If the forms of a word find
the same, only one of them is submitted (`hiddenweb.querying.word_forms`).

A word counts only as far as its parts of records are searched (`hiddenweb.querying.searched_parts`). A word that does not find
half of the known records that hold it says nothing about hidden ones.

Queries are compared by their new records for their cost: a query, and each page of its answer. A page is turned while it promises more
than the best of the other queries. An unfinished answer is a candidate, too: its next page costs no query, and it is often known how
many records it has left.

| module | what it does |
| --- | --- |
| `policy` | the policy itself: it reads answers and chooses |
| `candidates` | the best words, groups of words and unfinished answers |
| `word_gains` | what words are expected to bring, and at what rate |
| `answer_learner` | what an answer teaches |
| `unfinished_answers` | answers that were left, and what their next pages bring |
| `word_knowledge` | everything learnt about words |
"""
