"""Form rendering: error summary, then label, help, field and error."""

from django.forms.renderers import TemplatesSetting


class FormRenderer(TemplatesSetting):
    """Django's templates for widgets, ours for forms and fields."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
