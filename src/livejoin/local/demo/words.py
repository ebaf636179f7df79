"""Words that demo values are made of."""

import random

FIRST_NAMES = (
    "Amara Anton Beatriz Chiara Daniel Elif Emil Farah Greta Hannah Ines Ivan Jonas Kaito Katya Leila Liam Lucia Malik "
    "Marta Mateo Mei Nadia Noah Olga Omar Paula Priya Quentin Rosa Samir Sofia Tariq Tomas Ursula Victor Wanda Xin Zoe"
)
LAST_NAMES = (
    "Adeyemi Almeida Andersen Bauer Bianchi Brandt Castro Chen Costa Dubois Eriksen Fischer Garcia Haddad Horvat Ito "
    "Jansen Kaya Kim Kowalski Larsen Lopez Mancini Meyer Moreau Nakamura Novak Okafor Patel Petrov Rossi Santos "
    "Schmidt Silva Singh Tanaka Vargas Weber Yilmaz Zhang"
)
MAIL_HOSTS = ("example.com", "example.net", "example.org", "mail.example.com")
CITIES = "Athens Bergen Bilbao Cairo Delhi Gdansk Kyoto Lagos Lima Lyon Oslo Porto Quito Seoul Turin Vienna Zagreb"
COUNTRIES = "AT BR CH DE EG ES FR GR IN IT JP KR NG NO PE PL PT"
REGIONS = "north east south west central"
STREETS = "Canal Garden Harbour Hill Market Mill Orchard Park River Station Tower Willow"
THINGS = "Anchor Basket Candle Drum Easel Flute Globe Hammer Kettle Lantern Marble Notebook Paddle Ribbon Saddle Teapot"
STATES = "new open paid shipped done"
KINDS = "basic plus premium trial"
COLOURS = "amber blue coral green indigo ochre plum red teal white"
CURRENCIES = "EUR USD GBP CHF JPY"
REMARKS = ("as agreed", "by the side door", "call first", "for the office", "gift wrapping", "second try", "urgent")
COMPANIES = "Works Trading Partners Labs Logistics Bakery Garden Studio"


def person(fate: random.Random) -> tuple[str, str]:
    """A first and a last name."""
    return fate.choice(FIRST_NAMES.split()), fate.choice(LAST_NAMES.split())
