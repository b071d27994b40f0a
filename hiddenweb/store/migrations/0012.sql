-- Whether a form may be submitted has that name, in its column and in what is kept of the verdict.
ALTER TABLE forms RENAME COLUMN ask TO may_submit;
UPDATE forms SET verdict = json_remove(
    json_set(verdict, '$.may_submit', json(CASE WHEN json_extract(verdict, '$.ask') THEN 'true' ELSE 'false' END)), '$.ask'
) WHERE json_valid(verdict) AND json_type(verdict, '$.ask') IS NOT NULL;
