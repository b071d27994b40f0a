"""What the databases of the small web are about: thirteen topics and the shape of their records.

A topic is a name and a row of attributes. A `choice` has a finite list of values and fits a select menu; with a
`parent` its list depends on another choice, as models depend on makes. Lists that mean something are kept here in
every language, in the same order, so that a colour in one language is the same colour in another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from simweb.catalogue import Record

_LINE = re.compile(r"\n\s+(?=\w+:)")

Kind = Literal["text", "choice", "year", "date", "number", "code"]


class UnknownTopic(KeyError):
    """Asked for a topic, an attribute or a list of values that does not exist."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column of a database; `changing` marks what an owner may edit without making it another record."""

    name: str
    kind: Kind
    parent: str | None = None
    changing: bool = False


@dataclass(frozen=True, slots=True)
class Topic:
    """A subject and the columns of its records; the title stands apart from them."""

    name: str
    attributes: tuple[Attribute, ...]

    def position(self, name: str) -> int:
        """Return where an attribute stands in the values of a record."""
        for position, attribute in enumerate(self.attributes):
            if attribute.name == name:
                return position
        known = ", ".join(attribute.name for attribute in self.attributes)
        raise UnknownTopic(f"{self.name} has no attribute {name!r}, only {known}")

    def attribute(self, name: str) -> Attribute:
        """Return the attribute of that name."""
        return self.attributes[self.position(name)]

    def value(self, record: Record, name: str) -> str:
        """Return one value of a record, or its title; "" when it is missing."""
        return record.title if name == "title" else record.values[self.position(name)]


def topic(name: str) -> Topic:
    """Return a topic as its generated or built-in records have it."""
    if name not in _TOPICS:
        raise UnknownTopic(f"no topic {name!r}, only {', '.join(TOPICS)}")
    return _TOPICS[name]


def topic_from_files(name: str) -> Topic:
    """Return a topic as the records of its data file have it."""
    return _TOPICS_FROM_FILES[name]


@cache
def list_values(name: str, language: str) -> tuple[str, ...]:
    """Return the values of a written list, such as `cars.fuel`, in a language.

    >>> list_values("homes.offer", "de")
    ('zu verkaufen', 'zu vermieten', 'Ferienvermietung', 'Versteigerung')
    """
    for written in _LINE.split(_LISTS[name])[1:]:
        code, _, values = written.partition(":")
        if code in (language, "any"):
            return tuple(value.strip() for value in values.split(","))
    raise UnknownTopic(f"the list {name!r} is not written in {language!r}")


def is_listed(name: str) -> bool:
    """Say whether a list of that name is written here."""
    return name in _LISTS


def models_of(make: str) -> tuple[str, ...]:
    """Return the models a car maker offers."""
    return _MODELS[make]


def makes() -> tuple[str, ...]:
    """Return the car makers."""
    return tuple(_MODELS)


def _topic(name: str, columns: str) -> Topic:
    """Read columns such as `author:text price:number! model:choice<make`; ! marks what changes."""
    return Topic(name, tuple(_attribute(column) for column in columns.split()))


def _attribute(column: str) -> Attribute:
    name, _, rest = column.partition(":")
    rest, changes, _ = rest.partition("!")
    kind, _, parent = rest.partition("<")
    return Attribute(name, _KINDS[kind], parent or None, bool(changes))


_KINDS: dict[str, Kind] = {
    "text": "text", "choice": "choice", "year": "year", "date": "date", "number": "number", "code": "code",
}  # fmt: skip

_COLUMNS = {
    "books": "author:text year:year category:choice language:choice publisher:choice format:choice isbn:code"
    " price:number!",
    "films": "director:text cast:text year:year genre:choice country:choice language:choice duration:number",
    "jobs": "company:text category:choice location:choice contract:choice! salary:number! posted:date! number:code",
    "cars": "make:choice model:choice<make year:year price:number! mileage:number fuel:choice colour:choice"
    " condition:choice! city:text",
    "music": "artist:text album:text genre:choice label:choice format:choice year:year price:number!",
    "hotels": "city:choice type:choice stars:choice! rooms:number price:number! location:text",
    "homes": "offer:choice type:choice city:choice region:choice<city rooms:number area:number price:number!"
    " posted:date! name:text",
    "recipes": "cuisine:choice category:choice difficulty:choice ingredients:text duration:number! author:text"
    " date:date",
    "people": "profession:choice country:choice language:choice born:date died:date location:text",
    "software": "module:text name:text kind:choice category:choice signature:text number:number",
    "places": "type:choice continent:choice region:choice<continent country:text language:text currency:text"
    " code:code date:date",
    "characters": "code:code name:text script:choice category:choice type:choice number:number",
    "art": "artist:text year:year classification:choice medium:choice condition:choice! credit:text number:code",
}

_COLUMNS_FROM_FILES = {
    "books": "author:text year:year language:choice kind:choice isbn:code",
    "films": "cast:text director:text year:year genre:choice kind:choice",
    "art": "artist:text year:year classification:choice category:choice medium:text credit:text number:code",
}

TOPICS = tuple(_COLUMNS)
TOPICS_WITH_FILES = tuple(_COLUMNS_FROM_FILES)

_TOPICS = {name: _topic(name, columns) for name, columns in _COLUMNS.items()}
_TOPICS_FROM_FILES = {name: _topic(name, columns) for name, columns in _COLUMNS_FROM_FILES.items()}

_MODELS = {
    make: tuple(models.split())
    for make, models in {
        "Alfa Romeo": "Giulia Giulietta MiTo Stelvio Tonale",
        "Audi": "A1 A3 A4 A6 Q3 Q5 TT",
        "BMW": "116i 320d 520d X1 X3 Z4 i3",
        "Citroën": "Berlingo C1 C3 C4 C5",
        "Dacia": "Duster Jogger Logan Sandero Spring",
        "Fiat": "500 Doblo Panda Punto Tipo",
        "Ford": "Fiesta Focus Galaxy Kuga Mondeo Puma Transit",
        "Honda": "Accord Civic HR-V Jazz",
        "Hyundai": "Kona Tucson i10 i20 i30",
        "Kia": "Ceed Niro Picanto Sorento Sportage",
        "Mazda": "2 3 6 CX-5 MX-5",
        "Mercedes-Benz": "A180 C200 E220 GLA Sprinter Vito",
        "Nissan": "Juke Leaf Micra Note Qashqai",
        "Opel": "Astra Corsa Insignia Mokka Zafira",
        "Peugeot": "108 208 308 508 2008 3008",
        "Renault": "Captur Clio Kangoo Megane Scenic Twingo Zoe",
        "Seat": "Arona Ateca Ibiza Leon",
        "Skoda": "Citigo Fabia Octavia Superb Yeti",
        "Suzuki": "Ignis Jimny Swift Vitara",
        "Toyota": "Auris Aygo Corolla Prius RAV4 Yaris",
        "Volkswagen": "Caddy Golf Passat Polo Tiguan Touran up!",
        "Volvo": "S60 V40 V60 V90 XC40 XC60",
    }.items()
}

_LISTS = {
    "books.category": """
        en: novel, history, crime, poetry, travel, science, biography, cookery, children, fantasy,
            philosophy, art
        de: Roman, Geschichte, Krimi, Lyrik, Reise, Wissenschaft, Biografie, Kochen, Kinder, Fantasy,
            Philosophie, Kunst
        fr: roman, histoire, policier, poésie, voyage, sciences, biographie, cuisine, jeunesse,
            fantastique, philosophie, art
        es: novela, historia, policíaca, poesía, viajes, ciencia, biografía, cocina, infantil, fantasía,
            filosofía, arte
        it: romanzo, storia, giallo, poesia, viaggi, scienza, biografia, cucina, ragazzi, fantastico,
            filosofia, arte
        pl: powieść, historia, kryminał, poezja, podróże, nauka, biografia, kuchnia, dla dzieci,
            fantastyka, filozofia, sztuka
        tr: roman, tarih, polisiye, şiir, gezi, bilim, biyografi, yemek, çocuk, fantastik, felsefe, sanat
        ru: роман, история, детектив, поэзия, путешествия, наука, биография, кулинария, детям, фэнтези,
            философия, искусство
        ar: رواية, تاريخ, جريمة, شعر, سفر, علوم, سيرة, طبخ, أطفال, خيال, فلسفة, فن
        zh: 小说, 历史, 推理, 诗歌, 旅行, 科学, 传记, 烹饪, 儿童, 奇幻, 哲学, 艺术
        ja: 小説, 歴史, 推理, 詩, 旅行, 科学, 伝記, 料理, 児童, ファンタジー, 哲学, 芸術
        th: นวนิยาย, ประวัติศาสตร์, สืบสวน, บทกวี, ท่องเที่ยว, วิทยาศาสตร์, ชีวประวัติ, อาหาร, เด็ก,
            แฟนตาซี, ปรัชญา, ศิลปะ
    """,
    "books.format": """
        en: paperback, hardback, e-book, audio book
        de: Taschenbuch, gebunden, E-Book, Hörbuch
        fr: poche, relié, livre numérique, livre audio
        es: bolsillo, tapa dura, libro electrónico, audiolibro
        it: tascabile, rilegato, libro elettronico, audiolibro
        pl: oprawa miękka, oprawa twarda, e-book, audiobook
        tr: karton kapak, ciltli, e-kitap, sesli kitap
        ru: мягкая обложка, твёрдый переплёт, электронная книга, аудиокнига
        ar: غلاف ورقي, غلاف مقوى, كتاب إلكتروني, كتاب صوتي
        zh: 平装, 精装, 电子书, 有声书
        ja: 文庫, 単行本, 電子書籍, オーディオブック
        th: ปกอ่อน, ปกแข็ง, หนังสืออิเล็กทรอนิกส์, หนังสือเสียง
    """,
    "films.genre": """
        en: drama, comedy, thriller, action, romance, horror, documentary, science fiction, animation,
            western, musical, war
        de: Drama, Komödie, Thriller, Action, Liebesfilm, Horror, Dokumentarfilm, Science-Fiction,
            Zeichentrick, Western, Musical, Kriegsfilm
        fr: drame, comédie, thriller, action, romance, horreur, documentaire, science-fiction, animation,
            western, comédie musicale, guerre
        es: drama, comedia, suspense, acción, romance, terror, documental, ciencia ficción, animación,
            western, musical, bélico
        it: drammatico, commedia, thriller, azione, sentimentale, orrore, documentario, fantascienza,
            animazione, western, musicale, guerra
        pl: dramat, komedia, thriller, akcja, romans, horror, dokument, fantastyka naukowa, animacja,
            western, musical, wojenny
        tr: dram, komedi, gerilim, aksiyon, romantik, korku, belgesel, bilim kurgu, animasyon, kovboy,
            müzikal, savaş
        ru: драма, комедия, триллер, боевик, мелодрама, ужасы, документальный, фантастика, мультфильм,
            вестерн, мюзикл, военный
        ar: دراما, كوميديا, إثارة, حركة, رومانسي, رعب, وثائقي, خيال علمي, رسوم متحركة, غرب, موسيقي, حرب
        zh: 剧情, 喜剧, 惊悚, 动作, 爱情, 恐怖, 纪录片, 科幻, 动画, 西部, 歌舞, 战争
        ja: ドラマ, コメディ, スリラー, アクション, 恋愛, ホラー, ドキュメンタリー, SF, アニメ, 西部劇,
            ミュージカル, 戦争
        th: ดราม่า, ตลก, ระทึกขวัญ, แอ็กชัน, โรแมนติก, สยองขวัญ, สารคดี, ไซไฟ, แอนิเมชัน, คาวบอย, เพลง,
            สงคราม
    """,
    "jobs.category": """
        en: sales, engineering, nursing, teaching, transport, accounting, catering, building, marketing,
            administration
        de: Vertrieb, Technik, Pflege, Unterricht, Transport, Buchhaltung, Gastronomie, Bau, Marketing,
            Verwaltung
        fr: vente, ingénierie, soins, enseignement, transport, comptabilité, restauration, bâtiment,
            marketing, administration
        es: ventas, ingeniería, enfermería, enseñanza, transporte, contabilidad, hostelería,
            construcción, marketing, administración
        it: vendite, ingegneria, assistenza, insegnamento, trasporti, contabilità, ristorazione,
            edilizia, marketing, amministrazione
        pl: sprzedaż, inżynieria, pielęgniarstwo, edukacja, transport, księgowość, gastronomia,
            budownictwo, marketing, administracja
        tr: satış, mühendislik, hemşirelik, öğretmenlik, taşımacılık, muhasebe, yiyecek içecek, inşaat,
            pazarlama, idare
        ru: продажи, инженерия, медицина, образование, транспорт, бухгалтерия, общепит, строительство,
            маркетинг, управление
        ar: مبيعات, هندسة, تمريض, تعليم, نقل, محاسبة, مطاعم, بناء, تسويق, إدارة
        zh: 销售, 工程, 护理, 教育, 运输, 会计, 餐饮, 建筑, 市场, 行政
        ja: 営業, 技術, 看護, 教育, 運送, 経理, 飲食, 建設, 企画, 事務
        th: ขาย, วิศวกรรม, พยาบาล, สอน, ขนส่ง, บัญชี, ร้านอาหาร, ก่อสร้าง, การตลาด, ธุรการ
    """,
    "jobs.contract": """
        en: permanent, temporary, part time, apprenticeship, freelance
        de: unbefristet, befristet, Teilzeit, Ausbildung, freiberuflich
        fr: durée indéterminée, durée déterminée, temps partiel, apprentissage, indépendant
        es: indefinido, temporal, media jornada, prácticas, autónomo
        it: indeterminato, determinato, tempo parziale, apprendistato, autonomo
        pl: umowa stała, umowa czasowa, część etatu, praktyka, zlecenie
        tr: sürekli, geçici, yarı zamanlı, staj, serbest
        ru: постоянная, временная, неполный день, стажировка, удалённая
        ar: دائم, مؤقت, دوام جزئي, تدريب, حر
        zh: 长期, 临时, 兼职, 实习, 自由职业
        ja: 正社員, 契約社員, パート, 研修, 業務委託
        th: ประจำ, ชั่วคราว, พาร์ตไทม์, ฝึกงาน, อิสระ
    """,
    "cars.fuel": """
        en: petrol, diesel, electric, hybrid, gas, hydrogen
        de: Benzin, Diesel, Elektro, Hybrid, Gas, Wasserstoff
        fr: essence, diesel, électrique, hybride, gaz, hydrogène
        es: gasolina, diésel, eléctrico, híbrido, gas, hidrógeno
        it: benzina, diesel, elettrica, ibrida, gas, idrogeno
        pl: benzyna, diesel, elektryczny, hybryda, gaz, wodór
        tr: benzin, dizel, elektrik, hibrit, gaz, hidrojen
        ru: бензин, дизель, электро, гибрид, газ, водород
        ar: بنزين, ديزل, كهرباء, هجين, غاز, هيدروجين
        zh: 汽油, 柴油, 电动, 混合动力, 天然气, 氢
        ja: ガソリン, ディーゼル, 電気, ハイブリッド, ガス, 水素
        th: เบนซิน, ดีเซล, ไฟฟ้า, ไฮบริด, แก๊ส, ไฮโดรเจน
    """,
    "cars.colour": """
        en: black, white, grey, blue, red, silver, green, brown, yellow, orange
        de: schwarz, weiß, grau, blau, rot, silber, grün, braun, gelb, orange
        fr: noir, blanc, gris, bleu, rouge, argent, vert, brun, jaune, orange
        es: negro, blanco, gris, azul, rojo, plata, verde, marrón, amarillo, naranja
        it: nero, bianco, grigio, blu, rosso, argento, verde, marrone, giallo, arancione
        pl: czarny, biały, szary, niebieski, czerwony, srebrny, zielony, brązowy, żółty, pomarańczowy
        tr: siyah, beyaz, gri, mavi, kırmızı, gümüş, yeşil, kahverengi, sarı, turuncu
        ru: чёрный, белый, серый, синий, красный, серебристый, зелёный, коричневый, жёлтый, оранжевый
        ar: أسود, أبيض, رمادي, أزرق, أحمر, فضي, أخضر, بني, أصفر, برتقالي
        zh: 黑色, 白色, 灰色, 蓝色, 红色, 银色, 绿色, 棕色, 黄色, 橙色
        ja: 黒, 白, 灰色, 青, 赤, 銀, 緑, 茶, 黄, 橙
        th: ดำ, ขาว, เทา, น้ำเงิน, แดง, เงิน, เขียว, น้ำตาล, เหลือง, ส้ม
    """,
    "condition": """
        en: good, very good, as new, worn, damaged
        de: gut, sehr gut, neuwertig, gebraucht, beschädigt
        fr: bon, très bon, comme neuf, usagé, endommagé
        es: bueno, muy bueno, como nuevo, usado, dañado
        it: buono, ottimo, come nuovo, usato, danneggiato
        pl: dobry, bardzo dobry, jak nowy, używany, uszkodzony
        tr: iyi, çok iyi, yeni gibi, yıpranmış, hasarlı
        ru: хорошее, очень хорошее, как новое, изношенное, повреждённое
        ar: جيد, جيد جدا, كالجديد, مستعمل, متضرر
        zh: 良好, 很好, 几乎全新, 旧, 损坏
        ja: 良い, 非常に良い, 新品同様, 使用感あり, 傷あり
        th: ดี, ดีมาก, เหมือนใหม่, เก่า, ชำรุด
    """,
    "music.genre": """
        en: rock, pop, jazz, classical, folk, electronic, hip hop, blues, soul, opera
        de: Rock, Pop, Jazz, Klassik, Volksmusik, Elektronik, Hip-Hop, Blues, Soul, Oper
        fr: rock, chanson, jazz, classique, folk, électronique, hip-hop, blues, soul, opéra
        es: rock, pop, jazz, clásica, popular, electrónica, hip hop, blues, soul, ópera
        it: rock, pop, jazz, classica, popolare, elettronica, hip hop, blues, soul, opera
        pl: rock, pop, jazz, klasyczna, ludowa, elektroniczna, hip-hop, blues, soul, opera
        tr: rock, pop, caz, klasik, halk müziği, elektronik, hip hop, blues, soul, opera
        ru: рок, поп, джаз, классика, народная, электронная, хип-хоп, блюз, соул, опера
        ar: روك, بوب, جاز, كلاسيكي, شعبي, إلكتروني, هيب هوب, بلوز, سول, أوبرا
        zh: 摇滚, 流行, 爵士, 古典, 民谣, 电子, 嘻哈, 蓝调, 灵魂乐, 歌剧
        ja: ロック, ポップス, ジャズ, クラシック, 民謡, 電子音楽, ヒップホップ, ブルース, ソウル, オペラ
        th: ร็อก, ป๊อป, แจ๊ส, คลาสสิก, ลูกทุ่ง, อิเล็กทรอนิกส์, ฮิปฮอป, บลูส์, โซล, โอเปรา
    """,
    "music.format": """
        any: CD, LP, MP3, DVD, MC
    """,
    "hotels.stars": """
        any: 3, 4, 2, 5, 1
    """,
    "hotels.type": """
        en: hotel, guest house, hostel, apartment, resort, motel
        de: Hotel, Pension, Jugendherberge, Ferienwohnung, Ferienanlage, Motel
        fr: hôtel, maison d'hôtes, auberge, appartement, village de vacances, motel
        es: hotel, pensión, albergue, apartamento, complejo, motel
        it: albergo, pensione, ostello, appartamento, villaggio, motel
        pl: hotel, pensjonat, schronisko, apartament, ośrodek, motel
        tr: otel, pansiyon, hostel, apart, tatil köyü, motel
        ru: гостиница, пансион, хостел, апартаменты, курорт, мотель
        ar: فندق, بيت ضيافة, نزل, شقة, منتجع, موتيل
        zh: 酒店, 宾馆, 青年旅社, 公寓, 度假村, 汽车旅馆
        ja: ホテル, 民宿, ホステル, アパート, リゾート, 旅館
        th: โรงแรม, เกสต์เฮาส์, โฮสเทล, อพาร์ตเมนต์, รีสอร์ต, โมเต็ล
    """,
    "homes.offer": """
        en: for sale, to let, holiday let, auction
        de: zu verkaufen, zu vermieten, Ferienvermietung, Versteigerung
        fr: à vendre, à louer, location saisonnière, aux enchères
        es: en venta, en alquiler, alquiler vacacional, subasta
        it: in vendita, in affitto, casa vacanze, asta
        pl: na sprzedaż, do wynajęcia, wynajem wakacyjny, aukcja
        tr: satılık, kiralık, günlük kiralık, ihale
        ru: продажа, аренда, посуточно, аукцион
        ar: للبيع, للإيجار, إيجار سياحي, مزاد
        zh: 出售, 出租, 短租, 拍卖
        ja: 売買, 賃貸, 短期賃貸, 競売
        th: ขาย, ให้เช่า, เช่ารายวัน, ประมูล
    """,
    "homes.type": """
        en: flat, house, studio, villa, farm, office, garage
        de: Wohnung, Haus, Einzimmerwohnung, Villa, Bauernhof, Büro, Garage
        fr: appartement, maison, studio, villa, ferme, bureau, garage
        es: piso, casa, estudio, chalet, finca, oficina, garaje
        it: appartamento, casa, monolocale, villa, cascina, ufficio, garage
        pl: mieszkanie, dom, kawalerka, willa, gospodarstwo, biuro, garaż
        tr: daire, ev, stüdyo, villa, çiftlik, ofis, garaj
        ru: квартира, дом, студия, вилла, ферма, офис, гараж
        ar: شقة, بيت, استوديو, فيلا, مزرعة, مكتب, مرآب
        zh: 公寓, 住宅, 单间, 别墅, 农场, 办公室, 车库
        ja: マンション, 一戸建て, ワンルーム, 別荘, 農家, 事務所, 車庫
        th: ห้องชุด, บ้าน, สตูดิโอ, วิลล่า, ฟาร์ม, สำนักงาน, โรงรถ
    """,
    "recipes.category": """
        en: main course, soup, salad, dessert, cake, starter, breakfast, drink
        de: Hauptgericht, Suppe, Salat, Nachtisch, Kuchen, Vorspeise, Frühstück, Getränk
        fr: plat, soupe, salade, dessert, gâteau, entrée, petit déjeuner, boisson
        es: plato principal, sopa, ensalada, postre, tarta, entrante, desayuno, bebida
        it: secondo, zuppa, insalata, dolce, torta, antipasto, colazione, bevanda
        pl: danie główne, zupa, sałatka, deser, ciasto, przystawka, śniadanie, napój
        tr: ana yemek, çorba, salata, tatlı, kek, meze, kahvaltı, içecek
        ru: второе, суп, салат, десерт, пирог, закуска, завтрак, напиток
        ar: طبق رئيسي, حساء, سلطة, حلوى, كعكة, مقبلات, فطور, مشروب
        zh: 主菜, 汤, 沙拉, 甜点, 蛋糕, 前菜, 早餐, 饮料
        ja: 主菜, スープ, サラダ, デザート, ケーキ, 前菜, 朝食, 飲み物
        th: จานหลัก, ซุป, สลัด, ของหวาน, เค้ก, ของว่าง, อาหารเช้า, เครื่องดื่ม
    """,
    "recipes.difficulty": """
        en: easy, medium, difficult, for experts
        de: leicht, mittel, schwer, für Profis
        fr: facile, moyen, difficile, pour experts
        es: fácil, media, difícil, experto
        it: facile, media, difficile, esperto
        pl: łatwy, średni, trudny, dla ekspertów
        tr: kolay, orta, zor, uzman
        ru: легко, средне, сложно, для мастеров
        ar: سهل, متوسط, صعب, للخبراء
        zh: 简单, 中等, 困难, 专家
        ja: 簡単, 普通, 難しい, 上級
        th: ง่าย, ปานกลาง, ยาก, ผู้เชี่ยวชาญ
    """,
    "people.profession": """
        en: writer, politician, actor, painter, scientist, musician, athlete, engineer, physician,
            lawyer, teacher, soldier
        de: Schriftsteller, Politiker, Schauspieler, Maler, Forscher, Musiker, Sportler, Ingenieur, Arzt,
            Anwalt, Lehrer, Soldat
        fr: écrivain, politique, acteur, peintre, scientifique, musicien, sportif, ingénieur, médecin,
            avocat, enseignant, militaire
        es: escritor, político, actor, pintor, científico, músico, deportista, ingeniero, médico,
            abogado, maestro, militar
        it: scrittore, politico, attore, pittore, scienziato, musicista, sportivo, ingegnere, medico,
            avvocato, insegnante, militare
        pl: pisarz, polityk, aktor, malarz, naukowiec, muzyk, sportowiec, inżynier, lekarz, prawnik,
            nauczyciel, żołnierz
        tr: yazar, siyasetçi, oyuncu, ressam, bilim insanı, müzisyen, sporcu, mühendis, doktor, avukat,
            öğretmen, asker
        ru: писатель, политик, актёр, художник, учёный, музыкант, спортсмен, инженер, врач, юрист,
            учитель, военный
        ar: كاتب, سياسي, ممثل, رسام, عالم, موسيقي, رياضي, مهندس, طبيب, محام, معلم, عسكري
        zh: 作家, 政治家, 演员, 画家, 科学家, 音乐家, 运动员, 工程师, 医生, 律师, 教师, 军人
        ja: 作家, 政治家, 俳優, 画家, 科学者, 音楽家, 選手, 技術者, 医師, 弁護士, 教師, 軍人
        th: นักเขียน, นักการเมือง, นักแสดง, จิตรกร, นักวิทยาศาสตร์, นักดนตรี, นักกีฬา, วิศวกร, แพทย์,
            ทนายความ, ครู, ทหาร
    """,
    "art.classification": """
        en: painting, drawing, print, sculpture, photograph, installation
        de: Gemälde, Zeichnung, Druckgrafik, Skulptur, Fotografie, Installation
        fr: peinture, dessin, estampe, sculpture, photographie, installation
        es: pintura, dibujo, grabado, escultura, fotografía, instalación
        it: dipinto, disegno, stampa, scultura, fotografia, installazione
        pl: malarstwo, rysunek, grafika, rzeźba, fotografia, instalacja
        tr: tablo, çizim, baskı, heykel, fotoğraf, yerleştirme
        ru: живопись, рисунок, гравюра, скульптура, фотография, инсталляция
        ar: لوحة, رسم, طباعة, نحت, صورة, تركيب
        zh: 绘画, 素描, 版画, 雕塑, 摄影, 装置
        ja: 絵画, 素描, 版画, 彫刻, 写真, インスタレーション
        th: จิตรกรรม, ภาพวาด, ภาพพิมพ์, ประติมากรรม, ภาพถ่าย, ศิลปะจัดวาง
    """,
    "art.medium": """
        en: oil, watercolour, pencil, ink, bronze, marble, wood, paper
        de: Öl, Aquarell, Bleistift, Tusche, Bronze, Marmor, Holz, Papier
        fr: huile, aquarelle, crayon, encre, bronze, marbre, bois, papier
        es: óleo, acuarela, lápiz, tinta, bronce, mármol, madera, papel
        it: olio, acquerello, matita, inchiostro, bronzo, marmo, legno, carta
        pl: olej, akwarela, ołówek, tusz, brąz, marmur, drewno, papier
        tr: yağlıboya, suluboya, kurşun kalem, mürekkep, bronz, mermer, ahşap, kâğıt
        ru: масло, акварель, карандаш, тушь, бронза, мрамор, дерево, бумага
        ar: زيت, ألوان مائية, رصاص, حبر, برونز, رخام, خشب, ورق
        zh: 油画, 水彩, 铅笔, 水墨, 青铜, 大理石, 木, 纸
        ja: 油彩, 水彩, 鉛筆, 墨, 青銅, 大理石, 木, 紙
        th: สีน้ำมัน, สีน้ำ, ดินสอ, หมึก, สำริด, หินอ่อน, ไม้, กระดาษ
    """,
    "places.type": """
        en: country, language, currency, city, script
        de: Land, Sprache, Währung, Stadt, Schrift
        fr: pays, langue, monnaie, ville, écriture
        es: país, idioma, moneda, ciudad, escritura
        it: paese, lingua, valuta, città, scrittura
        pl: kraj, język, waluta, miasto, pismo
        tr: ülke, dil, para birimi, şehir, yazı
        ru: страна, язык, валюта, город, письменность
        ar: بلد, لغة, عملة, مدينة, كتابة
        zh: 国家, 语言, 货币, 城市, 文字
        ja: 国, 言語, 通貨, 都市, 文字
        th: ประเทศ, ภาษา, สกุลเงิน, เมือง, อักษร
    """,
    "books.kind": """
        any: single title, first of a series, later in a series, collection
    """,
    "films.kind": """
        any: feature, silent, short, animated, documentary
    """,
    "software.kind": """
        any: function, class, method, module
    """,
}
