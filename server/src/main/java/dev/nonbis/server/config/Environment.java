package dev.nonbis.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Lays the environment's values over the file's. */
final class Environment {

    /** Read by the command line, the launcher and the bench, not by the configuration. */
    static final Set<String> NOT_OURS = Set.of(
            "NONBIS_URL",
            "NONBIS_API_KEY",
            "NONBIS_APPROVER_API_KEY",
            "NONBIS_HOME",
            "NONBIS_JAVA_HOME",
            "NONBIS_JAVA_OPTS",
            "NONBIS_BENCH");

    /** Shorter names that the contract promises beside the mechanical ones. */
    static final Map<String, String> ALIASES = Map.of(
            "NONBIS_IDEMPOTENCY_TTL_JOBS", "NONBIS_IDEMPOTENCY_RETENTION_JOBS",
            "NONBIS_IDEMPOTENCY_TTL_RUNS", "NONBIS_IDEMPOTENCY_RETENTION_RUNS",
            "NONBIS_IDEMPOTENCY_TTL_PAYMENTS", "NONBIS_IDEMPOTENCY_RETENTION_PAYMENTS");

    /** What Kubernetes sets for a Service whose name begins with {@code nonbis}. */
    private static final Pattern SERVICE =
            Pattern.compile("NONBIS_(?:.*_)?(?:SERVICE_HOST|SERVICE_PORT.*|PORT|PORT_[0-9]+_(?:TCP|UDP|SCTP).*)");

    private static final Pattern SERVICE_URL = Pattern.compile("(?:tcp|udp|sctp)://.*");
    private static final Pattern TENANT_LIMIT = Pattern.compile("^NONBIS_LIMITS_(.+)_MAX_CONCURRENT_RUNS$");

    private final Written written;

    private Environment(Written written) {
        this.written = written;
    }

    /** Returns the names that Kubernetes set for a Service; they are ignored. */
    static List<String> read(Map<String, String> variables, Written into) {
        var environment = new Environment(into);
        var ignored = new ArrayList<String>();
        new TreeMap<>(variables).forEach((name, value) -> {
            if (!name.startsWith("NONBIS_") || NOT_OURS.contains(name)) {
                return;
            }
            if (environment.isOfService(name, value)) {
                ignored.add(name);
            } else {
                environment.variable(name, value, variables);
            }
        });
        return ignored;
    }

    /** A Service named {@code nonbis-http} makes {@code NONBIS_HTTP_PORT}, which is an entry's name too: then the value decides. */
    private boolean isOfService(String name, String value) {
        return SERVICE.matcher(name).matches()
                && (path(name).isEmpty() || SERVICE_URL.matcher(value).matches());
    }

    private void variable(String name, String value, Map<String, String> all) {
        var place = new Place.InEnvironment(name);
        var mechanical = ALIASES.getOrDefault(name, name);
        if (!mechanical.equals(name) && all.containsKey(mechanical)) {
            written.error(place, "", "means the same as " + mechanical + ", which is set too: keep one");
            return;
        }
        path(mechanical)
                .ifPresentOrElse(
                        path -> overlay(path, value, place),
                        () -> written.error(place, "", "unknown variable: no entry has this environment twin"));
    }

    private Optional<String> path(String variable) {
        var tenantLimit = TENANT_LIMIT.matcher(variable);
        return tenantLimit.matches()
                ? Optional.of("limits." + tenantLimit.group(1).toLowerCase(Locale.ROOT) + ".max_concurrent_runs")
                : Optional.ofNullable(byVariable().get(variable));
    }

    private void overlay(String path, String value, Place place) {
        if (!path.endsWith("[]")) {
            written.scalar(path, new Scalar(value, place, Path.of("")));
            return;
        }
        var list = path.substring(0, path.length() - 2);
        written.forgetItems(list);
        written.parent(list, place);
        var index = 0;
        for (var item : value.isBlank() ? new String[0] : value.split(",", -1)) {
            written.scalar(list + "[" + index++ + "]", new Scalar(item.strip(), place, Path.of("")));
        }
    }

    private static Map<String, String> byVariable() {
        var found = new HashMap<String, String>();
        for (var entry : Entries.ALL) {
            entry.variable().filter(name -> !name.contains("*")).ifPresent(name -> found.put(name, entry.path()));
        }
        return found;
    }
}
