"""The words of the simulated web: what its twelve topics and the rest of it talk about, and how links to forms are worded.

They are written down here, so that the web can be made without any data. Where there is data, words of real pages join them (see
`benchmarks._harvest_material`).
"""

from __future__ import annotations

TOPIC_WORDS = {
    "airfare": "airfare flight flights airline airlines ticket tickets departure arrival roundtrip fare fares airport nonstop"
    " economy cabin baggage boarding layover carrier passenger aviation jet terminal stopover outbound inbound charter"
    " frequent miles runway seat aircraft gate takeoff luggage",
    "apartment": "apartment apartments bedroom bathroom landlord tenant lease rent sublet furnished condo townhouse deposit realtor"
    " studio loft kitchen balcony utilities roommate neighborhood housing property estate realty residential square"
    " duplex laundry parking pets listing floorplan mortgage household",
    "auto": "auto car cars vehicle vehicles sedan truck mileage engine dealer dealers used automobile transmission horsepower motor"
    " convertible coupe hybrid diesel brakes tires warranty vin hatchback minivan torque chassis ford toyota honda"
    " chevrolet nissan mechanic dealership",
    "book": "book books author authors isbn publisher paperback hardcover edition novel fiction bookstore chapter literature"
    " library reader reading textbook bestseller poetry biography antiquarian bookseller manuscript anthology printing"
    " titles illustrated writer volume memoir thriller essays catalogue binding",
    "hotel": "hotel hotels room rooms reservation reservations resort motel lodging suite inn accommodation checkin checkout guests"
    " breakfast hostel spa hospitality overnight concierge nightly stay beachfront amenities villa guesthouse bed"
    " chain occupancy receptionist pool rates lobby vacancy",
    "job": "job jobs career careers resume employer employers salary hiring vacancy vacancies recruiter recruitment employment"
    " position candidate candidates apply interview freelance internship fulltime workplace skills staffing manager engineer"
    " nurse accountant wage hire applicant labour benefits occupation",
    "movie": "movie movies film films actor actress director dvd cinema trailer cast genre screenplay drama comedy horror thriller"
    " hollywood box office sequel theater showtimes blockbuster oscar producer documentary animation screen scene starring"
    " studio premiere filmography credits",
    "music": "music song songs album albums artist artists band bands lyrics concert cd mp3 guitar singer track tracks chord jazz"
    " rock classical orchestra composer vinyl melody piano drums tour recording label genre bass hiphop soundtrack festival"
    " discography remix",
    "people": "people phone telephone directory yellow white pages surname address addresses whitepages genealogy ancestry reunion"
    " lookup alumni classmates obituary residents background email maiden relatives listings census family cemetery"
    " birth records person zip contact missing reverse lastname household",
    "product": "product products price prices brand brands camera cameras digital electronics laptop printer discount shipping store"
    " retailer cart bargain merchandise coupon warranty accessories battery memory lens zoom gadget appliance catalog stock"
    " manufacturer wholesale rebate review model specifications",
    "rental": "rental rentals rent hire car van pickup dropoff driver mileage insurance fleet compact location locations agency truck"
    " motorhome limousine unlimited deductible chauffeur vehicle suv daily weekly scooter campervan licence surcharge"
    " collision counter renter airport pickups quote",
    "route": "route routes map maps direction directions road highway distance driving navigation street atlas mile miles itinerary"
    " traffic satellite gps intersection exit toll bridge destination latitude longitude scale cartography motorway"
    " waypoint detour junction aerial transit journey",
}

SHARED_WORDS = {
    (
        "airfare",
        "hotel",
        "rental",
        "route",
    ): "travel trip vacation destination city holiday booking cheap deals tourist weekend"
    " package international guide",
    (
        "book",
        "movie",
        "music",
    ): "review reviews title release classic author collection rating critics popular entertainment media"
    " bestselling fans",
    ("auto", "product"): "price buy new used model dealer compare brand sale warranty specs features review",
    ("apartment", "rental"): "rent monthly lease deposit available location agency furnished",
    ("job", "people"): "profile company professional search network contact local city",
}
"""Words that related topics have in common."""

WORDS_OF_A_PERSON = {
    "airfare": "airfare flight airline ticket departure arrival roundtrip fare airport passenger",
    "apartment": "apartment bedroom rent lease landlord tenant furnished condo housing property",
    "auto": "auto car vehicle dealer used mileage sedan truck engine automobile",
    "book": "book author isbn publisher paperback hardcover edition novel fiction bookstore",
    "hotel": "hotel room reservation resort lodging suite inn accommodation motel guests",
    "job": "job career resume employer salary hiring vacancy recruiter employment position",
    "movie": "movie film actor director dvd cinema trailer cast genre drama",
    "music": "music song album artist band lyrics concert cd singer track",
    "people": "people phone telephone directory surname address genealogy whitepages lookup relatives",
    "product": "product price brand camera electronics discount shipping store retailer bargain",
    "rental": "rental car rent hire pickup dropoff driver fleet insurance location",
    "route": "route map directions road highway distance driving navigation street itinerary",
}
"""What a person would write into a topic file."""

SUBJECT_WORDS = {
    "sport": "team season league coach player score match championship stadium football basketball tennis referee tournament goal",
    "food": "restaurant menu recipe cuisine dinner chef wine dessert sauce delicious kitchen dish lunch flavour reservation",
    "education": "university college campus students tuition faculty degree admission scholarship semester course school teacher",
    "health": "health doctor patient hospital symptoms treatment disease medicine clinic vitamin therapy nurse diet surgery",
    "software": "software download windows server version linux code program developer database network install update api",
    "garden": "garden plant flower soil seeds pruning lawn shrub roses compost vegetable greenhouse perennial bulbs",
    "politics": "government senate election party policy minister campaign vote president congress law reform debate citizens",
    "religion": "church prayer bible faith worship pastor gospel parish ministry sermon christian spiritual choir bishop",
    "finance": "bank loan credit investment insurance stock fund interest tax mortgage dividend broker market pension",
    "science": "research laboratory theory physics experiment biology journal particle molecule professor hypothesis data",
    "games": "game games player console level cheats multiplayer arcade puzzle strategy quest score character online",
    "crafts": "quilt knitting yarn pattern sewing pottery beads craft fabric embroidery handmade workshop woodworking",
    "pets": "dog cat puppy breed breeder kennel veterinary kitten aquarium leash grooming rescue horse animal",
    "news": "news report yesterday police minister weather headline editor correspondent interview local breaking crisis",
    "law": "lawyer attorney court lawsuit legal judge settlement injury statute contract defendant litigation counsel",
    "military": "army navy soldier regiment battle veteran squadron infantry commander uniform medal historical tank",
    "photography": "photo gallery portrait exposure wedding landscape studio photographer prints frame shutter album",
    "weather": "weather forecast rain temperature storm climate humidity wind radar snow hurricane cloud season",
}
"""What sites on none of the topics talk about; the first three have real pages in SWDE."""

GENERAL_WORDS = (
    "the of and to a in for is on that by this with you it not or be are from at as your all have new more an was we will home can"
    " us about if page my has but our one other do no information time they site he up may what which their news out use any there"
    " see only so his when here who also now help get view first been would how were services some these click its like service than"
    " find back top had list name just over year day into two health world next go work last most make them should system post her"
    " city add policy number such please available copyright support after best then good well where rights public high school"
    " through each links she review years order very privacy read company free group need many user said does set under general"
    " full full-time january february march april may june july august september october november december monday friday sunday"
    " today week month member members section article articles special great large small long short old young local national"
    " international american english european online internet web email mail message forum community content program project"
    " report details description related image video picture copy press release story question answer different same another"
    " business office state country street house water line power part place point way people man woman child family life"
    " history power area region center side end case fact idea word letter paper form table figure note question type kind class"
    " level value change start end open close send receive write call show tell ask try keep give take come look want know think"
    " feel become leave put mean let begin seem turn hold bring happen provide include continue create offer allow develop"
    " language culture art design color light sound music index archive update version test result study plan event date"
    " hour minute morning evening night north south east west green blue red black white simple important possible real whole"
    " clear early late main common current recent past future personal private social natural human"
)

NAVIGATION = (
    "News", "Articles", "Reviews", "Forum", "Community", "Gallery", "Guide", "Resources", "Archive", "Products", "Services",
    "Events", "Features", "Tips", "Directory", "Magazine", "Topics", "Categories", "Members", "Specials", "Stories", "Info",
)  # fmt: skip

TELLING = {
    "airfare": ("Find flights", "Search flights", "Flight search", "Find cheap fares", "Fare finder"),
    "apartment": (
        "Find an apartment",
        "Apartment search",
        "Search listings",
        "Search rentals",
        "Home finder",
    ),
    "auto": ("Find a car", "Search used cars", "Car finder", "Vehicle search", "Search inventory"),
    "book": ("Search our catalogue", "Book search", "Find a book", "Search by author", "Library search"),
    "hotel": ("Find a hotel", "Hotel search", "Search rooms", "Hotel finder", "Find accommodation"),
    "job": ("Search jobs", "Job search", "Find a job", "Job finder", "Search vacancies"),
    "movie": ("Movie search", "Find a movie", "Search films", "Search titles", "Film finder"),
    "music": ("Search artists", "Music search", "Find a song", "Album search", "Lyrics search"),
    "people": (
        "People search",
        "Find people",
        "People finder",
        "Phone lookup",
        "Reverse lookup",
        "Search records",
    ),
    "product": ("Product search", "Search products", "Find products", "Product finder", "Compare and search"),
    "rental": ("Find a rental", "Search cars", "Rental search", "Location finder", "Find a location"),
    "route": ("Route finder", "Find a route", "Map search", "Search maps", "Find directions"),
}
TELLING_ANYWHERE = (
    "Advanced search",
    "Search",
    "Detailed search",
    "Power search",
    "Search database",
    "Quick search",
    "Query",
)
SITE_SEARCH = ("Search this site", "Search", "Site search", "Find on this site")
TELLING_FILES = (
    "search",
    "advanced-search",
    "find",
    "finder",
    "query",
    "lookup",
    "advsearch",
    "searchform",
    "locate",
)
NOT_TELLING = (
    "Catalogue", "Browse", "Click here", "", "Shop", "Start", "Enter", "Database", "Listings", "Our collection", "Go", "Reservations",
    "Online store", "Inventory", "Index", "Explore", "Products", "Order",
)  # fmt: skip
UNTOLD_FILES = (
    "catalogue",
    "browse",
    "shop",
    "start",
    "main2",
    "db",
    "listings",
    "online",
    "index2",
    "collection",
    "app",
    "entry",
)
BRIDGES = (
    "Online services",
    "Collections",
    "Overview",
    "Members area",
    "Our services",
    "Departments",
    "Tools",
    "Customer area",
)

MISLEADING = (
    "Search tips", "Find us", "Research", "How to find a good {word}", "Searching for {word}", "Finding {word}", "Search engines",
    "Find out more", "Researching {word}", "Search and rescue", "Job search advice", "Find a friend", "In search of {word}",
)  # fmt: skip
"""What looks like a way to a search and is none."""

TELLING_PATTERN = r"search|find|finder|query|lookup|look-up|locat(?:e|or)"
"""Words of an anchor or a path by which a person guesses that a search is behind a link."""

CENTRE_PAGES = (
    "Links",
    "Recommended sites",
    "Directory",
    "Partner sites",
    "Resources",
    "Other sites",
    "Favourites",
)
SAYS_SEARCH = (
    "looking for something else search the whole database", "use this form to search by name place or number",
    "find what you need in thousands of entries", "enter a keyword and search all our listings",
)  # fmt: skip
"""What may stand beside a link to a search form."""

NOTHING_SAID = ("click here", "website", "visit", "more", "link", "", "homepage", "here", "visit site")

SYLLABLES = tuple(onset + vowel for onset in "bdfghjklmnprstvwz" for vowel in "aeiou")
ENDINGS = ("", "", "", "n", "r", "s", "x", "l", "t", "nd", "rt", "ck", "sh")

NAME_PARTS = (
    "world", "online", "direct", "zone", "net", "hub", "central", "planet", "first", "plus", "point", "link", "express", "city", "web",
    "global", "pro", "star", "land", "depot", "source", "club", "best", "my", "the", "all", "e", "go", "top", "super", "easy", "usa",
)  # fmt: skip
SUFFIXES = (
    ("com", 60),
    ("net", 10),
    ("org", 12),
    ("info", 3),
    ("co.uk", 6),
    ("de", 3),
    ("ca", 3),
    ("com.au", 2),
    ("us", 1),
)

SERVICES = (  # anchor, file, how many sites have it, its form, its place (guesses)
    ("About us", "about", 0.8, "", "foot"),
    ("Contact", "contact", 0.45, "contact", "foot"),
    ("Privacy policy", "privacy", 0.5, "", "foot"),
    ("Login", "login", 0.25, "login", "top"),
    ("Links", "links", 0.3, "", "nav"),
    ("", "search", 0.17, "search", "top"),
    ("Help", "help", 0.3, "", "top"),
    ("Newsletter", "newsletter", 0.12, "newsletter", "nav"),
    ("Site map", "sitemap", 0.25, "", "foot"),
    ("Register", "register", 0.15, "registration", "top"),
    ("Terms of use", "terms", 0.35, "", "foot"),
    ("Find us", "find-us", 0.1, "", "foot"),
    ("Search tips", "search-tips", 0.08, "", "top"),
)
"""Pages that sites have beside what they are about; an anchor that is empty is one of SITE_SEARCH."""

FRAMES = (
    "html/body/",
    "html/body/div/",
    "html/body/div.wrap/",
    "html/body/table/tbody/tr/td/",
    "html/body/center/div/",
)
TAG_PATHS = {
    "nav": (
        "div.nav/ul/li/a",
        "div.menu/a",
        "ul.nav/li/a",
        "td.menu/a",
        "div.sidebar/ul/li/a",
        "div.tabs/ul/li/a",
    ),
    "top": ("div.top/a", "div.header/ul/li/a", "div.tools/a", "p.tools/a", "div.header/a"),
    "foot": ("div.footer/a", "div.footer/ul/li/a", "p.footer/a", "center/a"),
    "crumb": ("div.crumbs/a", "p.path/a", "ol.breadcrumb/li/a", "div.here/a"),
    "list": (
        "div.main/ul/li/a",
        "div.content/div.item/h3/a",
        "table/tbody/tr/td/a",
        "div.main/dl/dt/a",
        "div.list/a",
    ),
    "pager": ("div.pager/a", "p.pages/a", "div.main/span/a"),
    "side": ("div.side/ul/li/a", "div.box/a", "td.right/a", "div.quick/ul/li/a"),
    "text": ("div.main/p/a", "div.content/p/a", "td.main/p/a", "p/a"),
    "links": ("div.main/ul.links/li/a", "div.content/p/a", "table/tbody/tr/td.link/a", "div.main/dl/dt/a"),
}
"""Where links of each role stand in the markup of a site, below one of FRAMES."""
