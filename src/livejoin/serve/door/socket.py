"""The WebSocket at /tables: letting in, listening and sending. docs/protocol.md tells what is said there."""

import asyncio
import time

import orjson
from starlette.websockets import WebSocket, WebSocketDisconnect

from livejoin.access.roles import Key
from livejoin.http.patience import TOO_MUCH
from livejoin.serve.door.conversation import Conversation
from livejoin.serve.door.limits import TooMuch
from livejoin.serve.door.message import BadMessage, Login, read_message
from livejoin.serve.door.reception import WayIn
from livejoin.serve.door.refusal import Refusal

LOGIN_SECONDS = 5.0
BAD_MESSAGE = 4400
REFUSED = 4401
CHANGED = 4409
NANOS_PER_MILLI = 1_000_000


class TablesSocket(WayIn):
    """Answers every WebSocket. Lives as long as the door."""

    async def serve(self, socket: WebSocket) -> None:
        """One connection, from its begin to its end."""
        await socket.accept()
        try:
            self.occupancy.enter()
        except TooMuch as full:
            await _refuse(socket, "limit", str(full))
            return
        try:
            key = await self._login(socket)
            if key is not None:
                await self._converse(socket, key)
        except WebSocketDisconnect as gone:
            if gone.code == TOO_MUCH:
                self.occupancy.refused[Refusal.MESSAGES] += 1
        except RuntimeError:
            # Gone as well: Starlette says so by the one when it reads, and by the other when it writes.
            pass
        finally:
            self.occupancy.leave()

    async def _login(self, socket: WebSocket) -> Key | None:
        address = socket.client.host if socket.client else ""
        try:
            said = read_message(await asyncio.wait_for(_text(socket), LOGIN_SECONDS))
        except TimeoutError:
            self.occupancy.refused[Refusal.NO_KEY] += 1
            await _refuse(socket, "limit", "no login within five seconds")
            return None
        except BadMessage as problem:
            await self._end(socket, problem)
            return None
        if not isinstance(said, Login):
            await self._end(socket, BadMessage("a login comes first"))
            return None
        try:
            key = await self.reception.admit(address, said.key)
        except TooMuch as problem:
            await _refuse(socket, "limit", str(problem))
            return None
        if key is None:
            await _refuse(socket, "key", "The key is not right.")
            return None
        visitor = key.visitor
        welcome = {"is": "welcome", "role": visitor.role.value, "name": visitor.name}
        now = time.time_ns() // NANOS_PER_MILLI
        await _send(socket, orjson.dumps({**welcome, "mayExport": visitor.rights.may_export, "now": now}))
        return key

    async def _converse(self, socket: WebSocket, key: Key) -> None:
        name = key.visitor.name
        try:
            self.occupancy.enter_with(name)
        except TooMuch as full:
            await _refuse(socket, "limit", str(full))
            return
        try:
            await self._talk(socket, key)
        finally:
            self.occupancy.leave_with(name)

    async def _talk(self, socket: WebSocket, key: Key) -> None:
        conversation = Conversation(key.visitor, self.house, self.occupancy, self.executor)
        beside: list[asyncio.Task[None]] = []
        bucket = self.occupancy.own_messages()
        try:
            conversation.begin()
            # What is declared is heard before the answer to anything, also where that ends the connection.
            for frame in conversation.waiting():
                await _send(socket, frame)
            beside.append(asyncio.create_task(self._send_all(socket, conversation)))
            beside.append(asyncio.create_task(self._hang_up_without_key(socket, key)))
            while True:
                text = await _text(socket)
                if not bucket.take():
                    self.occupancy.refused[Refusal.MESSAGES] += 1
                    most = self.occupancy.limits.messages_per_second
                    await _hang_up(socket, TOO_MUCH, f"more than {most:g} messages a second")
                    return
                await asyncio.sleep(self.occupancy.turn(key.visitor.name))
                conversation.take(read_message(text))
        except BadMessage as problem:
            await self._end(socket, problem)
        finally:
            for task in beside:
                task.cancel()
            conversation.close()

    async def _end(self, socket: WebSocket, problem: BadMessage) -> None:
        """What was said is not of the protocol."""
        self.occupancy.refused[problem.kind] += 1
        await _hang_up(socket, BAD_MESSAGE, str(problem))

    async def _hang_up_without_key(self, socket: WebSocket, key: Key) -> None:
        """A key that is taken away, or gets other rights, ends what was begun with it."""
        await self.reception.withdrawn(key)
        if self.reception.keys.still_opens(key):
            await _hang_up(socket, CHANGED, "what the key opens has changed")
        else:
            await _hang_up(socket, REFUSED, "the key was withdrawn")

    async def _send_all(self, socket: WebSocket, conversation: Conversation) -> None:
        try:
            while True:
                for frame in await conversation.frames():
                    await _send(socket, frame)
                conversation.sent()
        except (WebSocketDisconnect, RuntimeError):
            # The reading side hears of it, too, and ends the conversation.
            return


async def _text(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if text is None:
        raise BadMessage("messages are texts")
    return str(text)


async def _send(socket: WebSocket, frame: bytes) -> None:
    await socket.send({"type": "websocket.send", "text": frame.decode()})


async def _refuse(socket: WebSocket, why: str, reason: str) -> None:
    await _send(socket, orjson.dumps({"is": "refused", "why": why, "reason": reason}))
    await socket.close(REFUSED if why == "key" else TOO_MUCH, _short(reason))


async def _hang_up(socket: WebSocket, code: int, reason: str) -> None:
    await socket.close(code, _short(reason))


def _short(reason: str) -> str:
    """As much of it as fits into a closing frame."""
    return reason.encode()[:120].decode(errors="ignore")
