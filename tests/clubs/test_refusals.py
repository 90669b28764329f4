from clubs.refusals import Refused, Remedy, remedy_of, with_remedy


def test_a_refusal_links_to_its_remedy_and_neither_name_can_be_markup():
    refused = Refused("No place for <b>Zoe</b>.")
    assert with_remedy(refused) == "No place for <b>Zoe</b>."  # escaped by the template that shows it
    refused.remedy = Remedy("Show <events>", "tournaments:events", "api:events", ())
    assert with_remedy(refused) == (
        'No place for &lt;b&gt;Zoe&lt;/b&gt;. <a href="/events/">Show &lt;events&gt;</a>'
    )
    assert remedy_of(ValueError()) is None
