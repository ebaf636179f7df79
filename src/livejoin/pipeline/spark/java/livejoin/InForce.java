package livejoin;

import java.util.Map;

/**
 * What a client logs in with at this moment. Kafka's clients are told once, when they are made, and would present for
 * ever what was right then; those of livejoin look here with every connection. The driver's Python puts it here when
 * the files that it comes from have changed, in memory only. On an executor of a cluster nobody does: its clients go on
 * with what they were told.
 */
public final class InForce {

    private static volatile InForce now = new InForce(0, Map.of());

    final long edition;
    private final Map<String, String> properties;

    private InForce(final long edition, final Map<String, String> properties) {
        this.edition = edition;
        this.properties = properties;
    }

    /** From now on. A map of all, because what belongs together must never be seen in parts. */
    public static void become(final long edition, final Map<String, String> properties) {
        now = new InForce(edition, Map.copyOf(properties));
    }

    /** Of what is in force; 0 where nothing has changed. */
    public static long edition() {
        return now.edition;
    }

    static InForce now() {
        return now;
    }

    /** Null where nothing has changed since clients were told, or nothing of that name is there. */
    String get(final String name) {
        return properties.get(name);
    }

    Map<String, String> all() {
        return properties;
    }
}
