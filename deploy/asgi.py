import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django = get_asgi_application()

# Only now: these import models, for which Django has to be set up.
from deploy import admission  # noqa: E402
from deploy.limits import Doorway  # noqa: E402

limits = admission.limits()
application = Doorway(django, limits, admission.largest_body)
