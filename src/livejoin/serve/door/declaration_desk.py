"""What is joined, over plain HTTP: the declaration and the columns of every table. docs/protocol.md tells the form."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from livejoin.serve.door.catalogue import NotServed
from livejoin.serve.door.limits import TooMuch
from livejoin.serve.door.reception import WayIn


class DeclarationDesk(WayIn):
    """The route /declaration, for a key of any role. Lives as long as the door."""

    def routes(self) -> list[Route]:
        """What may be asked."""
        return [Route("/declaration", self._answer, methods=["GET"])]

    async def _answer(self, request: Request) -> Response:
        try:
            visitor = await self.reception.visitor(request)
            if visitor is None:
                return JSONResponse({"error": "this needs a key: Authorization: Bearer ..."}, status_code=401)
            catalogue = await self.house.catalogue()
        except TooMuch as problem:
            return JSONResponse({"error": str(problem)}, status_code=429)
        except NotServed as problem:
            self.occupancy.refused[problem.kind] += 1
            return JSONResponse({"error": str(problem)}, status_code=404)
        told = {**catalogue.declared(visitor), "tables": catalogue.tables(visitor)}
        return JSONResponse(told, headers={"cache-control": "no-store"})
