"""How every form looks: ``{{ form }}`` gives a summary of its errors, then label, help, field, error."""

from django.forms.renderers import TemplatesSetting


class FormRenderer(TemplatesSetting):
    """Django's templates for the widgets, ours for the form and the field around them."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
