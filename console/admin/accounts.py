"""Accounts, roles and failed logins. Only superusers may change them; each change goes into the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.auth import admin as django_admin
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from console.admin.records import CursorAdmin
from console.common.pages import acted
from console.common.reach import ROLES

if TYPE_CHECKING:
    from django.contrib.auth.forms import AdminPasswordChangeForm, UserCreationForm
    from django.contrib.auth.forms import UserChangeForm as _ChangeForm

    _Users = django_admin.UserAdmin[User]
    UserChangeForm = _ChangeForm[User]
else:
    from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

    _Users = django_admin.UserAdmin


class OneRoleForm(UserChangeForm):
    """An account, which has one role."""

    def clean_groups(self) -> QuerySet[Group]:
        groups: QuerySet[Group] = self.cleaned_data["groups"]
        if groups.filter(name__in=ROLES).count() > 1:
            raise ValidationError("An account has one role. Choose one of them.")
        return groups


class _Recorded:
    """Log changes. Django calls these methods within the transaction of the change."""

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        acted(request, "account.create", obj)
        return super().log_addition(request, obj, message)  # type: ignore[misc]  # of the admin beside it

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        acted(request, "account.change", obj, changed=_fields(message))
        return super().log_change(request, obj, message)  # type: ignore[misc]  # of the admin beside it

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse to delete: logs name accounts, and a new account could take a deleted one's name."""
        return False


def _fields(message: Any) -> list[str]:
    """Return the names of the changed fields. Django reports a new password as a sentence."""
    if isinstance(message, str):
        return [message]
    return [str(field) for part in message for field in part.get("changed", {}).get("fields", [])]


admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class UserAdmin(_Recorded, _Users, CursorAdmin):
    form = OneRoleForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "first_name", "last_name", "roles", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    search_help_text = "user name, as it begins"
    search_fields = ("username__startswith",)
    filter_horizontal = ()
    # What somebody may follows from their roles alone.
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        ("Roles", {"fields": ("is_active", "is_staff", "groups", "is_superuser")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups")

    @admin.display(description="roles")
    def roles(self, user: User) -> str:
        return ", ".join(sorted(group.name for group in user.groups.all()))


@admin.register(Group)
class GroupAdmin(_Recorded, django_admin.GroupAdmin, CursorAdmin):
    """The roles and their permissions. The console's own stay as console/roles.py defines them."""

    search_fields = ()


@admin.register(AccessAttempt)
class AccessAttemptAdmin(CursorAdmin):
    """Failed logins that lock somebody out. Deleting one unlocks them."""

    list_display = ("username", "ip_address", "failures_since_start", "attempt_time")
    search_fields = ("username__startswith",)
    search_help_text = "user name, as it begins"
    fields = ("username", "ip_address", "failures_since_start", "attempt_time", "user_agent")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[AccessAttempt]) -> Any:
        """Django calls it within the transaction of the deletion."""
        for attempt in queryset:
            acted(request, "account.unlock", attempt, name=attempt.username or "")
        return super().log_deletions(request, queryset)
