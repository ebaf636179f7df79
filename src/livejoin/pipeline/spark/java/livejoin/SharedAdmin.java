package livejoin;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** One client for all that log in alike, which takes a thread and a connection; it is closed by the last of them. */
final class SharedAdmin implements AutoCloseable {

    private static final Map<Map<String, Object>, SharedAdmin> OPEN = new HashMap<>();

    private final Map<String, Object> properties;
    private final Admin admin;
    private int holders;

    private SharedAdmin(final Map<String, Object> properties) {
        this.properties = properties;
        admin = Admin.create(properties);
    }

    /** Who calls this closes it. */
    static SharedAdmin open(final Map<String, Object> properties) {
        synchronized (OPEN) {
            final SharedAdmin found = OPEN.computeIfAbsent(properties, SharedAdmin::new);
            found.holders++;
            return found;
        }
    }

    Admin admin() {
        return admin;
    }

    @Override
    public void close() {
        synchronized (OPEN) {
            holders--;
            if (holders == 0) {
                OPEN.remove(properties);
                admin.close(Duration.ZERO);
            }
        }
    }
}
