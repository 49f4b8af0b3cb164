package dev.nonbis.testkit.store;

import dev.nonbis.core.store.Index;
import dev.nonbis.core.store.Table;
import dev.nonbis.core.store.Write;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The real tables' names, places and indexes with texts as values, so that the contract can speak of rows without the rules.
 *
 * <p>A value names its index entries before a bar: {@code "state:PENDING label:a label:b|the rest"}.
 */
public final class ContractTables {

    public static final Table<String, String> KEYS = table(1, "keys");
    public static final Table<String, String> TENANTS = table(2, "tenants");
    public static final Table<String, String> ADMISSIONS = table(3, "admissions");
    public static final Table<String, String> JOBS = table(4, "jobs", "due", "state", "topic", "label");
    public static final Table<String, String> RUNS = table(5, "runs", "state", "workflow");
    public static final Table<String, String> WORKFLOWS = table(6, "workflows");
    public static final Table<String, String> WORKFLOW_VERSIONS = table(7, "workflow_versions");
    public static final Table<String, String> AUDIT = table(8, "audit");

    public static final List<Table<String, String>> ALL =
            List.of(KEYS, TENANTS, ADMISSIONS, JOBS, RUNS, WORKFLOWS, WORKFLOW_VERSIONS, AUDIT);

    private ContractTables() {}

    public static Index<String> index(Table<String, String> table, String name) {
        return table.indexes().stream()
                .filter(index -> index.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    public static Write insert(Table<String, String> table, String key, String value) {
        return new Write.Insert(table.row(key), table.encode().apply(value), entries(table, value));
    }

    /** Replaces a row. */
    public static Write update(Table<String, String> table, String key, long version, Change change) {
        return new Write.Update(
                table.row(key),
                version,
                table.encode().apply(change.to),
                new Write.Move(entries(table, change.from), entries(table, change.to)));
    }

    public static Write delete(Table<String, String> table, String key, long version, String value) {
        return new Write.Delete(table.row(key), version, entries(table, value));
    }

    /** A row's value before and after. */
    public record Change(String from, String to) {}

    private static Write.Entries entries(Table<String, String> table, String value) {
        return new Write.Entries(table.indexes().stream()
                .map(index -> index.entries().apply(value))
                .toList());
    }

    private static Table<String, String> table(int order, String name, String... indexes) {
        return new Table<>(
                order,
                name,
                Function.identity(),
                value -> value.getBytes(StandardCharsets.UTF_8),
                bytes -> new String(bytes, StandardCharsets.UTF_8),
                Arrays.stream(indexes)
                        .map(index -> index.equals("label")
                                ? Index.<String>ofMany(index, value -> named(index, value))
                                : Index.<String>ofOne(
                                        index,
                                        value -> named(index, value).stream().findFirst()))
                        .toList());
    }

    private static Set<String> named(String index, String value) {
        int bar = value.indexOf('|');
        return Arrays.stream(value.substring(0, Math.max(bar, 0)).split(" ", -1))
                .filter(word -> word.startsWith(index + ":"))
                .map(word -> word.substring(index.length() + 1))
                .collect(Collectors.toSet());
    }
}
