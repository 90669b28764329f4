"""Request body parsers."""

from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class Json(JSONParser):
    """JSON of limited size (``DATA_UPLOAD_MAX_MEMORY_SIZE``) and depth, without NaN."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        request = (parser_context or {}).get("request")
        # Django bounds a body that is read whole, not one that is read as a stream.
        whole = stream if request is None else BytesIO(request._request.body)
        try:
            return super().parse(whole, media_type, parser_context)
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deeply.")) from error
