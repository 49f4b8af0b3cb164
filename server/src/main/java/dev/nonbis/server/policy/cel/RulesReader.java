package dev.nonbis.server.policy.cel;

import dev.nonbis.core.policy.Verdict;
import dev.nonbis.server.policy.cel.PolicyDocument.Rules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the rules of one section, which differ in the variables they see and the verdicts they may give. */
final class RulesReader {

    static final String DENIED_BY_RULE = "policy.rule";
    static final String DENIED_BY_DEFAULT = "policy.default";

    private static final int MAX_RULES = 1_000;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern CODE = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");
    private static final Duration DEFAULT_DELAY = Duration.ofSeconds(5);
    private static final List<String> MEMBERS = List.of("id", "when", "verdict", "deny_code", "retry_after");

    private final Language language;
    private final List<String> verdicts;
    private final String fallback;

    private RulesReader(Language language, List<String> verdicts, String fallback) {
        this.language = language;
        this.verdicts = verdicts;
        this.fallback = fallback;
    }

    static RulesReader ofJobs() {
        return new RulesReader(
                new Language(List.of("job")), List.of("allow", "deny", "require_approval", "throttle"), "allow");
    }

    static RulesReader ofPayments() {
        return new RulesReader(
                new Language(List.of("payment", "amount_usd", "provider", "recipient", "agent", "budget")),
                List.of("allow", "deny", "require_approval"),
                "deny");
    }

    Rules read(@Nullable YamlEntry section) {
        if (section == null) {
            return new Rules(List.of(), fallback(fallback));
        }
        var members = section.group(List.of("default", "rules"));
        var written = members.get("default");
        var word = written == null ? Optional.of(fallback) : fallbackWord(written);
        var entry = members.get("rules");
        return new Rules(entry == null ? List.of() : rules(entry), fallback(word.orElse(fallback)));
    }

    private Optional<String> fallbackWord(YamlEntry entry) {
        // A default has no place for how long to wait.
        return Words.oneOf(
                entry, verdicts.stream().filter(v -> !v.equals("throttle")).toList());
    }

    private static Verdict fallback(String word) {
        return switch (word) {
            case "allow" -> new Verdict.Allow(Optional.empty());
            case "require_approval" -> new Verdict.RequireApproval(Optional.empty());
            default -> new Verdict.Deny(Optional.empty(), DENIED_BY_DEFAULT);
        };
    }

    private List<Rule> rules(YamlEntry list) {
        var rules = new ArrayList<Rule>();
        Set<String> ids = new HashSet<>();
        var items = list.items();
        if (items.size() > MAX_RULES) {
            list.complain("has more than " + MAX_RULES + " rules");
            return rules;
        }
        for (var item : items) {
            rule(item, ids).ifPresent(rules::add);
        }
        return rules;
    }

    private Optional<Rule> rule(YamlEntry item, Set<String> ids) {
        var members = item.group(MEMBERS);
        var id = Words.required(item, members, "id").flatMap(entry -> id(entry, ids));
        var when = Words.required(item, members, "when");
        var text = when.flatMap(YamlEntry::text).map(String::strip);
        var program = when.flatMap(entry -> text.flatMap(condition -> condition(entry, condition)));
        var word = Words.required(item, members, "verdict").flatMap(entry -> Words.oneOf(entry, verdicts));
        var code = only(members.get("deny_code"), word, "deny").flatMap(RulesReader::code);
        var delay = only(members.get("retry_after"), word, "throttle").flatMap(Words::duration);
        if (id.isEmpty() || text.isEmpty() || program.isEmpty() || word.isEmpty()) {
            return Optional.empty();
        }
        Verdict verdict = switch (word.get()) {
            case "allow" -> new Verdict.Allow(id);
            case "require_approval" -> new Verdict.RequireApproval(id);
            case "throttle" -> new Verdict.Throttle(id, delay.orElse(DEFAULT_DELAY));
            default -> new Verdict.Deny(id, code.orElse(DENIED_BY_RULE));
        };
        return Optional.of(new Rule(id.get(), text.get(), program.get(), verdict));
    }

    private static Optional<String> id(YamlEntry entry, Set<String> ids) {
        var id = Words.matching(
                entry, ID, "must be 1 to 64 letters, digits, ., _ and -, and start with a letter or digit");
        if (id.isPresent() && !ids.add(id.get())) {
            entry.complain("another rule of this section has the same id");
        }
        return id;
    }

    private Optional<CelProgram> condition(YamlEntry entry, String text) {
        switch (language.compile(text)) {
            case Language.Compiled.Usable(var program) -> {
                if (program.mayBeBoolean()) {
                    return Optional.of(program);
                }
                entry.complain("must give true or false, but gives " + program.typeName());
            }
            case Language.Compiled.Unusable unusable -> entry.complain("not a condition: " + unusable);
        }
        return Optional.empty();
    }

    private static Optional<YamlEntry> only(@Nullable YamlEntry entry, Optional<String> verdict, String with) {
        if (entry != null && verdict.isPresent() && !verdict.get().equals(with)) {
            entry.complain("goes with verdict " + with + " only");
            return Optional.empty();
        }
        return Optional.ofNullable(entry);
    }

    private static Optional<String> code(YamlEntry entry) {
        return Words.matching(
                entry, CODE, "must be 1 to 64 lowercase letters, digits, ., _ and -, and start with a letter or digit");
    }
}
