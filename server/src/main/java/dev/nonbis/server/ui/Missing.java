package dev.nonbis.server.ui;

import dev.nonbis.server.http.Response;

/** What is said where nothing is. It is the same for what never was and for what is another tenant's. */
final class Missing {

    private static final Pages.Page PAGE = new Pages.Page("trouble.jte", "Not found", "");

    private Missing() {}

    static Response show(Pages pages, Visit visit, String kind, String id) {
        return pages.show(
                visit,
                PAGE,
                404,
                new Guard.Trouble("There is no such " + kind, "Nothing here is named " + id + ".", "not_found"));
    }
}
