"""The schema and its pages, served by the installation itself."""

from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from clubs.access import Public


class SchemaFile(SpectacularAPIView):
    """OpenAPI 3.1, as YAML or JSON."""

    permission_classes = [Public]
    http_method_names = ["get", "head"]


class Docs(SpectacularSwaggerSplitView):
    """The schema to read and to try out; its script has an address of its own, for the strict CSP."""

    permission_classes = [Public]
    http_method_names = ["get", "head"]
    template_name = "clubs/api_docs.html"
    url_name = "api:schema"
    title = "Midpoint API"
