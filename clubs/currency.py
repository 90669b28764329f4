"""Currencies and the digits of their minor units (ISO 4217, List One, 2025)."""

_CODES = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD
CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF
GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK
LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD
OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN
SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER
ZAR ZMW
"""
_NO_MINOR_UNIT = frozenset(
    (
        "BIF",
        "CLP",
        "DJF",
        "GNF",
        "ISK",
        "JPY",
        "KMF",
        "KRW",
        "PYG",
        "RWF",
        "UGX",
        "VND",
        "VUV",
        "XAF",
        "XOF",
        "XPF",
    )
)
_THREE_DIGITS = frozenset(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"))

CURRENCIES = tuple(_CODES.split())


def minor_digits(currency: str) -> int:
    """Decimal digits: 2 for EUR (100 cents), 0 for JPY, 3 for KWD. Raises ValueError."""
    if currency not in CURRENCIES:
        raise ValueError(f"{currency} is not a currency of ISO 4217.")
    if currency in _NO_MINOR_UNIT:
        return 0
    return 3 if currency in _THREE_DIGITS else 2
