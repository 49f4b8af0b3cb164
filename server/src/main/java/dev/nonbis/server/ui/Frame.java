package dev.nonbis.server.ui;

import java.util.List;
import java.util.Optional;

/**
 * What surrounds every page.
 *
 * @param here the address of the page, for what loads itself again
 * @param formToken what every form has to carry
 * @param keys whether single keys are shortcuts
 * @param heard the event from which on the page wants to hear more
 */
public record Frame(
        String title,
        String section,
        String here,
        Optional<Who> who,
        String formToken,
        boolean keys,
        Optional<Told> told,
        List<Link> links,
        long heard,
        Addresses assets) {

    /** Where the browser finds styles, scripts and pictures. */
    public record Addresses(String styles, String htmx, String script, String icon) {}

    /** Who is signed in. */
    public record Who(String subject, String tenant, String roles) {}

    /**
     * One entry of the navigation.
     *
     * @param note a number beside it; empty for none
     */
    public record Link(String section, String address, String text, String note) {}
}
