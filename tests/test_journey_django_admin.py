"""A table behind Django's admin pages, a real application, open to a visitor who may look and change nothing.

Its search stands above a list of a hundred rows a page, among filters, orders, a form that deletes and one that logs out.
The rows are in Japanese. Django's template asks robots to follow no link ("NONE"), so that the crawl begins where the search is; robots.txt
closes filters, orders and the pages of the rows.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from applications import LOG_OF_REQUESTS, PYTHON, free_port, needs, read_requests, running
from crawling import Ran, crawl

from simweb.catalogue import Catalogue

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 400
ROBOTS = """
User-agent: *
Disallow: /*?
Allow: /admin/library/book/?*q=
Disallow: /*__exact=
Disallow: /*o=
Disallow: /*/change/
Disallow: /admin/log
Disallow: /admin/password_change/
"""
SETTINGS = """
SECRET_KEY = "a secret of the tests"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "urls"
LANGUAGE_CODE = "ja"
USE_TZ = True
INSTALLED_APPS = [
    "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
    "django.contrib.messages", "library",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware", "settings.as_a_visitor",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages",
    ]},
}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "library.db"}}
STATIC_URL = "/static/"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"


def as_a_visitor(get_response):
    def answer(request):
        from django.contrib.auth.models import User

        request.user = User.objects.get(username="visitor")
        return get_response(request)

    return answer
"""
MODELS = """
from django.db import models


class Book(models.Model):
    title = models.CharField(max_length=200)
    author = models.CharField(max_length=200)
    subject = models.CharField(max_length=200)
    summary = models.TextField()

    def __str__(self):
        return self.title
"""
ADMIN = """
from django.contrib import admin

from library.models import Book


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    list_display = ["title", "author", "subject", "summary"]
    list_filter = ["subject"]
    search_fields = ["title", "author", "subject", "summary"]
    ordering = ["id"]
"""
URLS = f"""
from django.contrib import admin
from django.http import HttpResponse
from django.urls import path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("robots.txt", lambda request: HttpResponse({ROBOTS!r}, content_type="text/plain")),
]
"""
SERVER = (
    LOG_OF_REQUESTS
    + """
import json
import os
import sys
from wsgiref.simple_server import make_server

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
import django
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()
call_command("migrate", run_syncdb=True, verbosity=0)
from django.contrib.auth.models import Permission, User
from library.models import Book

Book.objects.bulk_create(Book(**row) for row in json.load(open("rows.json", encoding="utf-8")))
visitor = User.objects.create(username="visitor", is_staff=True)
visitor.user_permissions.add(Permission.objects.get(codename="view_book"))
make_server("127.0.0.1", int(sys.argv[1]), application, handler_class=LoggingHandler).serve_forever()
"""
)

pytestmark = needs(PYTHON)


def write_project(folder: Path) -> None:
    """Write a project with one table, and its rows."""
    catalogue = Catalogue("books", "ja", seed=41, size=ROWS)
    rows = [
        {
            "title": record.title,
            "author": record.values[0],
            "subject": record.values[2],
            "summary": record.text,
        }
        for record in map(catalogue.record, range(1, ROWS + 1))
    ]
    files = {"settings.py": SETTINGS, "urls.py": URLS, "serve.py": SERVER, "rows.json": json.dumps(rows),
             "library/__init__.py": "", "library/models.py": MODELS, "library/admin.py": ADMIN}  # fmt: skip
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """A crawl of the whole site."""
    folder = tmp_path_factory.mktemp("django")
    write_project(folder)
    port = free_port()
    with running(folder, ["serve.py", str(port)], port, python=PYTHON):
        return crawl(
            folder,
            [f"http://127.0.0.1:{port}/admin/library/book/"],
            {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{port}"},
        )


def test_nine_of_ten_rows_are_reached_through_the_search_and_nothing_else_is_a_record(ran: Ran) -> None:
    keys = [key for (key,) in ran.rows("SELECT key FROM records")]
    numbers = [int(found[1]) for key in keys if (found := re.search(r"/book/(\d+)/change/", key))]

    assert ran.code == 0, ran.output
    assert len(numbers) == len(keys)
    assert len(set(numbers)) == len(numbers)
    assert set(numbers) <= set(range(1, ROWS + 1))
    assert len(numbers) >= 0.9 * ROWS


def test_what_the_site_says_it_found_is_read(ran: Ran) -> None:
    totals = ran.rows("SELECT total, new_records + seen_records FROM submissions WHERE total IS NOT NULL")

    assert totals
    assert all(reached <= total <= ROWS for total, reached in totals)


def test_nothing_is_posted_and_nothing_is_read_that_robots_txt_closes(ran: Ran) -> None:
    requested = read_requests(ran.state.parent)

    assert all(line.startswith("GET ") for line in requested)
    assert not [line for line in requested if "__exact=" in line or "/change/" in line or "o=" in line]
    assert all("q=" in line for line in requested if "?" in line)
