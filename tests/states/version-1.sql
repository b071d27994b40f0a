INSERT INTO sites (id, domain, seed) VALUES (1, 'a.example', 'https://a.example/');
INSERT INTO forms (id, site, hash, page_url, form, ask, purpose, why, state, found, queries, chooser) VALUES
    (7, 1, 42, 'https://a.example/', '{"page_url": "https://a.example/", "action": "https://a.example/find", "method": "GET", "fields": [{"name": "q", "kind": "text", "label": "", "value": "", "options": [], "placeholder": "", "autocomplete": "", "element_id": "", "required": false, "disabled": false, "readonly": false, "multiple": false, "checked": false, "max_length": null}], "enctype": "application/x-www-form-urlencoded", "charset": "utf-8", "text": "", "heading": "", "names": "", "place": 0}', 1, 'search', 'it has one text box', 'asking', 5.0, 1, '[{}, [], 0, {}]');
INSERT INTO submissions (id, form, keyword, filled, method, url, body, content_type, state, planned, outcome) VALUES
    (3, 7, 'wine', '[["q", "wine"]]', 'GET', 'https://a.example/find?q=wine', '', '', 'answered', 6.0, 'paged');
