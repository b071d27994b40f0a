"""Real applications whose rows are known: Datasette, Django's admin pages, Roundup, and the tickets of Fossil.

Each is filled with rows of simweb's catalogues, served on loopback as it comes, and crawled as anybody would.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError

from benchmarks.data import ROOT
from simweb.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

APPLICATIONS = Path(sys.prefix) / "applications"
PYTHON = APPLICATIONS / "python" / "bin" / "python"
DEBIAN = APPLICATIONS / "debian"
FOSSIL = DEBIAN / "usr" / "bin" / "fossil"
"""Where `scripts/install-applications` puts applications."""

STARTS_WITHIN = 120.0
"""Seconds that an application gets to answer for the first time."""

PRIORITIES = ("critical", "urgent", "bug", "feature", "wish")
STATES = ("unread", "deferred", "chatting", "need-eg", "in-progress", "testing", "done-cbb", "resolved")
"""What Roundup's own template has."""

USERS = tuple(
    f"{name}{number}" for number in (1, 2) for name in ("anna", "boris", "chloe", "dmitri", "emine")
)

Cell = tuple[str, ...]
"""The spellings of a value: how the database has it, and how the application writes it."""


@dataclass(frozen=True, slots=True)
class RecordSite:
    """A site whose rows are known."""

    name: str
    start: str
    rows: Mapping[str, Mapping[str, Cell]]  # by id and column
    find_id: Callable[[str], str | None]  # which row an address leads to
    labels: Mapping[str, str] = field(default_factory=dict)  # how pages label columns, if not by their names


def choose_applications() -> Mapping[str, Callable[[Path, int, int], AbstractContextManager[RecordSite]]]:
    """Return the applications that are installed, by name."""
    found = {"Datasette": serve_datasette, "Roundup": serve_roundup}
    if PYTHON.exists():
        found["Django"] = serve_django
    if FOSSIL.exists():
        found["Fossil"] = serve_fossil
    return found


# Datasette


@contextmanager
def serve_datasette(folder: Path, seed: int, count: int) -> Iterator[RecordSite]:
    """Serve a table with many columns, one of which leads to another table."""
    catalogue = Catalogue("films", "en", seed=seed, size=count)
    kinds = ("Drama", "Comedy", "War and peace", "Western")
    names = [attribute.name for attribute in catalogue.topic.attributes]
    columns = ["id", "title", *names, "summary", "kind_id"]
    rows: list[tuple[int | str | None, ...]] = [
        (each.number, each.title, *(value or None for value in each.values), each.text, each.number % 4 + 1)
        for each in map(catalogue.record, range(1, count + 1))
    ]
    with closing(sqlite3.connect(folder / "library.db")) as database, database:
        database.execute("CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT)")
        database.executemany("INSERT INTO kinds VALUES (?, ?)", enumerate(kinds, 1))
        described = ", ".join(f'"{name}"' for name in columns[1:-1])
        database.execute(
            f"CREATE TABLE films (id INTEGER PRIMARY KEY, {described}, kind_id INTEGER REFERENCES kinds (id))"
        )
        database.executemany(f"INSERT INTO films VALUES ({', '.join('?' * len(columns))})", rows)
        database.execute('CREATE VIRTUAL TABLE films_fts USING fts5 (title, summary, content="films")')
        database.execute("INSERT INTO films_fts (films_fts) VALUES ('rebuild')")
    port = _free_port()
    command = [
        sys.executable,
        "-m",
        "datasette",
        "serve",
        "library.db",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    truth = {
        str(row[0]): {
            name: (str(value), kinds[int(str(value)) - 1]) if name == "kind_id" else (str(value),)
            for name, value in zip(columns, row, strict=True)
            if value not in (None, "")
        }
        for row in rows
    }
    with _running(folder, command, port):
        yield RecordSite(
            "Datasette", f"http://127.0.0.1:{port}/library/films", truth, _ids(r"/library/films/(\d+)$")
        )


# Django

_DJANGO_SETTINGS = """
SECRET_KEY = "a secret of the benchmark"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "urls"
LANGUAGE_CODE = "en-us"
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
    "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "DIRS": ["templates"],
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
_DJANGO_MODELS = """
from django.db import models


class Book(models.Model):
    title = models.CharField(max_length=200)
    author = models.CharField(max_length=200)
    publisher = models.CharField(max_length=200)
    subject = models.CharField(max_length=200)
    pages = models.IntegerField()
    is_in_print = models.BooleanField()
    acquired = models.DateField("date of acquisition")
    shelf_mark = models.CharField(max_length=20)
    summary = models.TextField()

    def __str__(self):
        return self.title
"""
_DJANGO_ADMIN = """
from django.contrib import admin

from library.models import Book


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    list_display = ["title", "author", "publisher", "pages", "acquired"]
    list_filter = ["subject"]
    search_fields = ["title", "author", "subject", "summary"]
    ordering = ["id"]
    list_per_page = 50
"""
_DJANGO_URLS = """
from django.contrib import admin
from django.urls import path

urlpatterns = [path("admin/", admin.site.urls)]
"""
_DJANGO_SERVER = """
import json
import os
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()
call_command("migrate", run_syncdb=True, verbosity=0)
from django.contrib.auth.models import Permission, User
from library.models import Book

Book.objects.bulk_create(Book(**row) for row in json.load(open("rows.json", encoding="utf-8")))
visitor = User.objects.create(username="visitor", is_staff=True)
visitor.user_permissions.add(Permission.objects.get(codename="view_book"))
class Silent(WSGIRequestHandler):
    def log_message(self, *_):
        pass
make_server("127.0.0.1", int(sys.argv[1]), application, handler_class=Silent).serve_forever()
"""
_DJANGO_BASE = '{% extends "admin/base.html" %}{% block blockbots %}{% endblock %}'


@contextmanager
def serve_django(folder: Path, seed: int, count: int) -> Iterator[RecordSite]:
    """Serve a table behind admin pages to a visitor who may look, with half of the columns in the list and all on the pages of the rows."""
    draw = Random(seed)
    catalogue = Catalogue("books", "en", seed=seed, size=count)
    rows = []
    for record in map(catalogue.record, range(1, count + 1)):
        acquired = date(1990, 1, 1) + timedelta(draw.randrange(12_000))
        rows.append({
            "title": record.title, "author": record.values[0], "publisher": record.values[1] or "unknown",
            "subject": record.values[2], "pages": draw.randrange(40, 1400), "is_in_print": draw.random() < 0.5,
            "acquired": acquired.isoformat(), "shelf_mark": f"{draw.choice('ABCDEF')}{draw.randrange(100, 999)}.{record.number}",
            "summary": record.text,
        })  # fmt: skip
    files = {
        "settings.py": _DJANGO_SETTINGS, "urls.py": _DJANGO_URLS, "serve.py": _DJANGO_SERVER, "rows.json": json.dumps(rows),
        "library/__init__.py": "", "library/models.py": _DJANGO_MODELS, "library/admin.py": _DJANGO_ADMIN,
        "templates/admin/base_site.html": _DJANGO_BASE,
    }  # fmt: skip
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    truth = {str(number): _as_django_writes(row) for number, row in enumerate(rows, 1)}
    port = _free_port()
    with _running(folder, [str(PYTHON), "serve.py", str(port)], port, path="/admin/library/book/"):
        yield RecordSite(
            "Django", f"http://127.0.0.1:{port}/admin/library/book/", truth, _ids(r"/admin/library/book/(\d+)/"),
            {"acquired": "date of acquisition", "is_in_print": "is in print", "shelf_mark": "shelf mark"},
        )  # fmt: skip


def _as_django_writes(row: Mapping[str, object]) -> dict[str, Cell]:
    cells = {name: (str(value),) for name, value in row.items() if value != ""}
    day = date.fromisoformat(str(row["acquired"]))
    months = (
        "Jan.",
        "Feb.",
        "March",
        "April",
        "May",
        "June",
        "July",
        "Aug.",
        "Sept.",
        "Oct.",
        "Nov.",
        "Dec.",
    )
    return cells | {
        "acquired": (day.isoformat(), f"{months[day.month - 1]} {day.day}, {day.year}"),
        "is_in_print": (str(row["is_in_print"]), "✓" if row["is_in_print"] else "✗"),
    }


# Roundup

_ROUNDUP_SERVER = """
import json
import sqlite3
import sys
from functools import partial
from wsgiref.simple_server import WSGIRequestHandler, make_server

import roundup.instance
from roundup.cgi.wsgi_handler import RequestDispatcher
from roundup.date import Date

class Quick(sqlite3.Connection):  # nothing here has to outlast a power cut
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.execute("PRAGMA synchronous = OFF")

sqlite3.connect = partial(sqlite3.connect, factory=Quick)
home, port = sys.argv[1], int(sys.argv[2])
database = roundup.instance.open(home).open("admin")
for name in json.load(open("users.json")):
    database.user.create(username=name, roles="User", address=name + "@a.example")
for row in json.load(open("rows.json", encoding="utf-8")):
    author = database.user.lookup(row["assignedto"])
    message = database.msg.create(content=row.pop("text"), author=author, date=Date("2026-01-01"))
    links = {name: getattr(database, kind).lookup(row[name])
             for name, kind in (("priority", "priority"), ("status", "status"), ("assignedto", "user"))}
    database.issue.create(title=row["title"], messages=[message], **links)
database.commit()
database.close()
class Silent(WSGIRequestHandler):
    def log_message(self, *_):
        pass
make_server("127.0.0.1", port, RequestDispatcher(home), handler_class=Silent).serve_forever()
"""


@contextmanager
def serve_roundup(folder: Path, seed: int, count: int) -> Iterator[RecordSite]:
    """Serve an issue tracker as its own template makes it."""
    draw = Random(seed)
    catalogue = Catalogue("books", "en", seed=seed, size=count)
    rows = [
        {
            "title": record.title, "priority": draw.choice(PRIORITIES), "status": draw.choice(STATES),
            "assignedto": draw.choice(USERS), "text": record.text,
        }
        for record in map(catalogue.record, range(1, count + 1))
    ]  # fmt: skip
    port = _free_port()
    settings = (
        f"tracker_web=http://127.0.0.1:{port}/,mail_domain=a.example,mail_host=localhost,indexer=native"
    )
    for words in (("install", "classic", "sqlite", settings), ("initialise", "secret")):
        subprocess.run(
            [sys.executable, "-m", "roundup.scripts.roundup_admin", "-i", "tracker", *words],
            cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    (folder / "serve.py").write_text(_ROUNDUP_SERVER, encoding="utf-8")
    (folder / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    (folder / "users.json").write_text(json.dumps(USERS), encoding="utf-8")
    truth = {
        str(number): {name: (str(value),) for name, value in row.items() if name != "text"}
        for number, row in enumerate(rows, 1)
    }
    with _running(folder, [sys.executable, "serve.py", str(folder / "tracker"), str(port)], port):
        yield RecordSite(
            "Roundup",
            f"http://127.0.0.1:{port}/",
            truth,
            _ids(r"/issue(\d+)$"),
            {"assignedto": "assigned to"},
        )


# Fossil


@contextmanager
def serve_fossil(folder: Path, seed: int, count: int) -> Iterator[RecordSite]:
    """Serve the tickets of a repository: results are titles with a piece of the text, and each ticket has a page with all its fields."""
    draw = Random(seed)
    catalogue = Catalogue("books", "en", seed=seed, size=count)
    libraries = [*DEBIAN.glob("lib/*-linux-*"), *DEBIAN.glob("usr/lib/*-linux-*")]
    environment = {"HOME": str(folder), "USER": "anna", "LD_LIBRARY_PATH": ":".join(map(str, libraries))}

    def fossil(*words: str) -> str:
        command = [str(FOSSIL), *words, "-R", "tickets.fossil"]
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, check=True, text=True
        ).stdout

    subprocess.run(
        [str(FOSSIL), "init", "tickets.fossil"], cwd=folder, env=environment, capture_output=True, check=True
    )
    rows = [
        {
            "title": record.title, "type": draw.choice(("Code_Defect", "Feature_Request", "Documentation")),
            "status": draw.choice(("Open", "Verified", "Deferred", "Closed")),
            "severity": draw.choice(("Critical", "Severe", "Important", "Minor", "Cosmetic")),
            "priority": draw.choice(("Immediate", "High", "Medium", "Low")), "foundin": f"{draw.randrange(1, 9)}.{draw.randrange(20)}",
            "comment": record.text,
        }
        for record in map(catalogue.record, range(1, count + 1))
    ]  # fmt: skip
    for row in rows:
        fossil("ticket", "add", *(part for pair in row.items() for part in pair))
    fossil("fts-config", "enable", "t")
    fossil("fts-config", "index", "on")
    columns = [name for name in rows[0] if name != "comment"]
    with closing(sqlite3.connect(folder / "tickets.fossil")) as database:
        stored = database.execute(f"SELECT tkt_uuid, {', '.join(columns)} FROM ticket").fetchall()
    truth = {
        str(number): {name: (str(value),) for name, value in zip(columns, values, strict=True)}
        for number, *values in stored
    }

    def find_id(url: str) -> str | None:
        found = re.search(r"/(?:tktview|info|tktview\?name=)/?([0-9a-f]{8,40})$", url)
        return next((each for each in truth if found and each.startswith(found[1])), None)

    port = _free_port()
    command = [str(FOSSIL), "server", "tickets.fossil", "--localhost", "--port", str(port)]
    with _running(folder, command, port, path="/search?y=t", environment=environment):
        yield RecordSite(
            "Fossil", f"http://127.0.0.1:{port}/search?y=t", truth, find_id, {"foundin": "version found in"}
        )


# Serving


def _ids(pattern: str) -> Callable[[str], str | None]:
    found = re.compile(pattern)

    def find(url: str) -> str | None:
        match = found.search(url)
        return match[1] if match else None

    return find


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def _running(
    folder: Path,
    command: Sequence[str],
    port: int,
    *,
    path: str = "/",
    environment: Mapping[str, str] | None = None,
) -> Iterator[None]:
    """Run a server; it is there when it answers."""
    with (folder / "server.txt").open("w+", encoding="utf-8", errors="replace") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=output, stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
        )  # fmt: skip
        try:
            _await_answer(process, f"http://127.0.0.1:{port}{path}", folder / "server.txt")
            yield
        finally:
            process.terminate()
            process.wait(60)


def _await_answer(process: subprocess.Popen[bytes], url: str, output: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=60):
                return
        except HTTPError as error:
            error.close()
            return
        except (URLError, ConnectionError, TimeoutError):
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
    raise RuntimeError(f"{process.args!r} does not answer: {output.read_text(encoding='utf-8')[-2000:]}")
