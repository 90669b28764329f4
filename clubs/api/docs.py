"""The OpenAPI schema and its pages."""

from typing import Any, ClassVar

from django.conf import settings
from django.utils.translation import get_language, override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer, OpenApiYamlRenderer2
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from clubs.access import Public


class Described(SchemaGenerator):
    """Generates the schema once per process and language.

    Generating takes seconds of CPU time; the schema does not depend on the reader or on stored data.
    """

    known: ClassVar[dict[str, dict[str, Any]]] = {}

    def get_schema(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        asked = get_language()
        language = asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        if language not in self.known:
            with override(language):
                self.known[language] = super().get_schema(*args, **kwargs)  # type: ignore[no-untyped-call]
        return self.known[language]


class Yaml(OpenApiYamlRenderer):
    """Renders the schema as YAML once per process and language."""

    written: ClassVar[dict[str, bytes]] = {}

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        for language, known in Described.known.items():
            if data is known:
                if language not in self.written:
                    self.written[language] = self._write(data, *args, **kwargs)
                return self.written[language]
        return self._write(data, *args, **kwargs)  # a refusal

    def _write(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        text: bytes = super().render(data, *args, **kwargs)  # type: ignore[no-untyped-call]
        return text


class VendorlessYaml(Yaml):
    media_type = OpenApiYamlRenderer2.media_type


class SchemaFile(SpectacularAPIView):
    """The OpenAPI 3.1 schema as YAML or JSON."""

    renderer_classes = [Yaml, VendorlessYaml, *SpectacularAPIView.renderer_classes[2:]]
    permission_classes = [Public]
    http_method_names = ["get", "head"]
    generator_class = Described


class Docs(SpectacularSwaggerSplitView):
    """Swagger UI; its script has its own address because of the strict CSP."""

    permission_classes = [Public]
    http_method_names = ["get", "head"]
    template_name = "clubs/api/api_docs.html"
    url_name = "api:schema"
    title = "Midpoint API"
