import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import livejoin.InForce;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * For each file of client properties in a folder: asks for topics, writes the file's name, reads it, says what it saw.
 * A file after the topic has what is in force meanwhile for the clients of livejoin's own classes.
 */
class KafkaVisit {
  public static void main(String[] arguments) throws IOException {
    if (arguments.length > 2) {
      var now = new HashMap<String, String>();
      load(Path.of(arguments[2])).forEach((name, value) -> now.put((String) name, (String) value));
      InForce.become(2, now);
    }
    List<Path> files;
    try (Stream<Path> found = Files.list(Path.of(arguments[0]))) {
      files = found.sorted().toList();
    }
    // Most of a visit is waiting.
    var together = Executors.newFixedThreadPool(8);
    files.forEach(file -> together.submit(() -> tell(file, arguments[1])));
    together.shutdown();
  }

  private static void tell(Path file, String topic) {
    String name = file.getFileName().toString();
    String seen;
    try {
      seen = visit(load(file), topic, name);
    } catch (Exception problem) {
      seen = chain(problem);
    }
    System.out.println(name + "\t" + seen.replace('\n', ' '));
  }

  private static String visit(Properties client, String topic, String text) throws Exception {
    try (Admin admin = Admin.create(client)) {
      if (!admin.listTopics().names().get(30, TimeUnit.SECONDS).contains(topic)) return "no topic";
    }
    try (var producer = new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, text, text)).get(30, TimeUnit.SECONDS);
    }
    var partition = new TopicPartition(topic, 0);
    try (var consumer = new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      for (int attempt = 0; attempt < 30; attempt++) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
          if (record.value().equals(text)) return "read";
        }
      }
    }
    return "nothing read";
  }

  private static Properties load(Path file) throws IOException {
    var properties = new Properties();
    try (Reader text = Files.newBufferedReader(file)) {
      properties.load(text);
    }
    return properties;
  }

  private static String chain(Throwable problem) {
    String cause = problem.getCause() == null ? "" : " < " + chain(problem.getCause());
    return problem.getClass().getSimpleName() + ": " + problem.getMessage() + cause;
  }
}
