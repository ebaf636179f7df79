"""livejoin: two Kafka topics, joined live by Spark, shown through tables whose handles never die."""
