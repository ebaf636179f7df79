package livejoin;

import java.io.IOException;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** TLS as Kafka's clients speak it, with the certificates and the key that are in force when a connection begins. */
public final class RenewedTls implements SslEngineFactory {

    private static final String[] TYPES = {"ssl.keystore.type", "ssl.truststore.type"};
    private static final String[] TEXTS = {
        "ssl.keystore.certificate.chain", "ssl.keystore.key", "ssl.truststore.certificates"};

    private Map<String, ?> configs;
    private SslEngineFactory made;
    private long edition;

    @Override
    public synchronized void configure(final Map<String, ?> given) {
        configs = given;
        made = make(given);
    }

    @Override
    public synchronized SSLEngine createClientSslEngine(final String peerHost, final int peerPort,
            final String endpointIdentification) {
        final InForce now = InForce.now();
        if (now.edition != edition) {
            edition = now.edition;
            made = make(renewed(now));
        }
        return made.createClientSslEngine(peerHost, peerPort, endpointIdentification);
    }

    private Map<String, Object> renewed(final InForce now) {
        final Map<String, Object> changed = new HashMap<>(configs);
        for (final String name : TYPES) {
            if (now.get(name) != null) {
                changed.put(name, now.get(name));
            }
        }
        for (final String name : TEXTS) {
            if (now.get(name) != null) {
                changed.put(name, new Password(now.get(name)));
            }
        }
        return changed;
    }

    private static SslEngineFactory make(final Map<String, ?> configs) {
        final SslEngineFactory made = new DefaultSslEngineFactory();
        made.configure(configs);
        return made;
    }

    @Override
    public SSLEngine createServerSslEngine(final String peerHost, final int peerPort) {
        throw new UnsupportedOperationException("it is for clients");
    }

    @Override
    public synchronized boolean shouldBeRebuilt(final Map<String, Object> nextConfigs) {
        return made.shouldBeRebuilt(nextConfigs);
    }

    @Override
    public synchronized Set<String> reconfigurableConfigs() {
        return made.reconfigurableConfigs();
    }

    @Override
    public synchronized KeyStore keystore() {
        return made.keystore();
    }

    @Override
    public synchronized KeyStore truststore() {
        return made.truststore();
    }

    @Override
    public synchronized void close() throws IOException {
        made.close();
    }
}
