"""Routes of interaction responses: the callback, `@original`, and follow-ups.

None of them needs the bot's token; the interaction's own is in the path.
"""

from aiohttp import web

from sandbox.model.channels import Message
from sandbox.model.interactions import Interaction
from sandbox.rest.context import body, files, parts
from sandbox.rest.responses import json_response, no_content

routes = web.RouteTableDef()
_MESSAGE = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"


@routes.post("/interactions/{interaction_id}/{interaction_token}/callback")
async def create_interaction_response(request: web.Request) -> web.Response:
    """The interaction callback."""
    answer = parts(request).answers.callback(
        request.match_info["interaction_id"],
        request.match_info["interaction_token"],
        body(request),
        files(request),
    )
    if request.query.get("with_response", "").lower() in ("1", "true"):
        return json_response(answer)
    return no_content()


@routes.post("/webhooks/{webhook_id}/{webhook_token}")
async def execute_webhook(request: web.Request) -> web.Response:
    """A follow-up. Unlike other webhooks, it returns the message with or without `wait`."""
    message = parts(request).answers.follow_up(_interaction(request), body(request), files(request))
    return json_response(message.payload())


@routes.get(_MESSAGE)
async def get_webhook_message(request: web.Request) -> web.Response:
    """A message of the interaction."""
    return json_response(_message(request).payload())


@routes.patch(_MESSAGE)
async def update_webhook_message(request: web.Request) -> web.Response:
    """Edit a message of the interaction."""
    interaction, message = _interaction(request), _message(request)
    parts(request).answers.edit(interaction, message, body(request), files(request))
    return json_response(message.payload())


@routes.delete(_MESSAGE)
async def delete_webhook_message(request: web.Request) -> web.Response:
    """Delete a message of the interaction."""
    interaction, message = _interaction(request), _message(request)
    parts(request).answers.delete(interaction, message)
    return no_content()


def _interaction(request: web.Request) -> Interaction:
    match = request.match_info
    return parts(request).answers.by_token(match["webhook_id"], match["webhook_token"])


def _message(request: web.Request) -> Message:
    return parts(request).answers.message(_interaction(request), request.match_info["message_id"])
