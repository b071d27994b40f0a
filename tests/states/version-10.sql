-- A state of version 10, as the dump of its tables: a crawl of tests/library_site.py by the version before this one.
-- It explored all pages. A person made the extractor `books`. One page of a plan of six revisits was revisited, then the crawl was killed.
-- Then a harvest was killed while the eighth POST was under way: both forms had got queries, one query by GET and the pages of three records wait.
-- That version, resuming this, found 20 stones, 20 scrolls and a price that had changed.
BEGIN TRANSACTION;
CREATE TABLE answer_looks (
    submission INTEGER NOT NULL REFERENCES submissions (id),
    at REAL NOT NULL,
    pages INTEGER NOT NULL,             -- that were looked at
    whole INTEGER NOT NULL,             -- these are all that the answer has
    why TEXT NOT NULL DEFAULT '',       -- what was not looked at, and why
    added INTEGER NOT NULL,
    removed INTEGER NOT NULL,           -- no answer shows them any more
    changed INTEGER NOT NULL,
    not_seen INTEGER NOT NULL,          -- no longer in this answer, which proves nothing
    PRIMARY KEY (submission, at)
) WITHOUT ROWID;
CREATE TABLE bands (
    band INTEGER NOT NULL,
    page INTEGER NOT NULL,
    PRIMARY KEY (band, page)
) WITHOUT ROWID;
INSERT INTO "bands" VALUES(1104512970973,3);
INSERT INTO "bands" VALUES(1107144747980,18);
INSERT INTO "bands" VALUES(1118502089543,3);
INSERT INTO "bands" VALUES(1121240299169,20);
INSERT INTO "bands" VALUES(1122765890536,6);
INSERT INTO "bands" VALUES(1130314370069,3);
INSERT INTO "bands" VALUES(1133933904859,1);
INSERT INTO "bands" VALUES(1151456928486,19);
INSERT INTO "bands" VALUES(1162042111880,19);
INSERT INTO "bands" VALUES(1165693548838,17);
INSERT INTO "bands" VALUES(1166926539909,3);
INSERT INTO "bands" VALUES(1168337678165,3);
INSERT INTO "bands" VALUES(1175985455200,2);
INSERT INTO "bands" VALUES(1176992198267,20);
INSERT INTO "bands" VALUES(1181644891152,3);
INSERT INTO "bands" VALUES(1198277042688,4);
INSERT INTO "bands" VALUES(1201459826834,19);
INSERT INTO "bands" VALUES(1202535932661,3);
INSERT INTO "bands" VALUES(1208302833176,20);
INSERT INTO "bands" VALUES(1208959948224,1);
INSERT INTO "bands" VALUES(1216156089980,17);
INSERT INTO "bands" VALUES(1218517043394,2);
INSERT INTO "bands" VALUES(1220382410513,20);
INSERT INTO "bands" VALUES(1221327808911,5);
INSERT INTO "bands" VALUES(1235967690031,3);
INSERT INTO "bands" VALUES(1242168032297,6);
INSERT INTO "bands" VALUES(1243950313524,5);
INSERT INTO "bands" VALUES(1247558660498,18);
INSERT INTO "bands" VALUES(1251507391863,6);
INSERT INTO "bands" VALUES(1252371434084,20);
INSERT INTO "bands" VALUES(1256939543143,6);
INSERT INTO "bands" VALUES(1262023336439,17);
INSERT INTO "bands" VALUES(1266180074392,20);
INSERT INTO "bands" VALUES(1271696726985,2);
INSERT INTO "bands" VALUES(1273944667408,4);
INSERT INTO "bands" VALUES(1274005836621,5);
INSERT INTO "bands" VALUES(1283342216344,20);
INSERT INTO "bands" VALUES(1287173308499,5);
INSERT INTO "bands" VALUES(1287810659083,21);
INSERT INTO "bands" VALUES(1292446803340,6);
INSERT INTO "bands" VALUES(1293468697415,4);
INSERT INTO "bands" VALUES(1303428038477,5);
INSERT INTO "bands" VALUES(1305149726061,3);
INSERT INTO "bands" VALUES(1306790057628,18);
INSERT INTO "bands" VALUES(1313782883059,4);
INSERT INTO "bands" VALUES(1314318072085,19);
INSERT INTO "bands" VALUES(1331490099672,4);
INSERT INTO "bands" VALUES(1350736131646,20);
INSERT INTO "bands" VALUES(1385644383217,18);
INSERT INTO "bands" VALUES(1388265538509,2);
INSERT INTO "bands" VALUES(1400295345631,2);
INSERT INTO "bands" VALUES(1406453391985,2);
INSERT INTO "bands" VALUES(1413725639514,17);
INSERT INTO "bands" VALUES(1417400519950,21);
INSERT INTO "bands" VALUES(1420559664083,6);
INSERT INTO "bands" VALUES(1423416954706,17);
INSERT INTO "bands" VALUES(1438136496367,3);
INSERT INTO "bands" VALUES(1445078134100,4);
INSERT INTO "bands" VALUES(1448253849442,5);
INSERT INTO "bands" VALUES(1449775247636,4);
INSERT INTO "bands" VALUES(1465266156936,21);
INSERT INTO "bands" VALUES(1475872387447,21);
INSERT INTO "bands" VALUES(1478325950303,21);
INSERT INTO "bands" VALUES(1480057383799,2);
INSERT INTO "bands" VALUES(1498360792000,6);
INSERT INTO "bands" VALUES(1501798997623,21);
INSERT INTO "bands" VALUES(1507591620119,5);
INSERT INTO "bands" VALUES(1509977613445,1);
INSERT INTO "bands" VALUES(1510002394283,6);
INSERT INTO "bands" VALUES(1510789851345,21);
INSERT INTO "bands" VALUES(1542542828073,4);
INSERT INTO "bands" VALUES(1546914262280,18);
INSERT INTO "bands" VALUES(1549353600148,5);
INSERT INTO "bands" VALUES(1556855824240,19);
INSERT INTO "bands" VALUES(1557877072786,2);
INSERT INTO "bands" VALUES(1561030985079,20);
INSERT INTO "bands" VALUES(1563454980121,2);
INSERT INTO "bands" VALUES(1564103686241,18);
INSERT INTO "bands" VALUES(1564924093463,17);
INSERT INTO "bands" VALUES(1569444814712,18);
INSERT INTO "bands" VALUES(1570946591929,19);
INSERT INTO "bands" VALUES(1581280558101,18);
INSERT INTO "bands" VALUES(1588039027827,21);
INSERT INTO "bands" VALUES(1598916630924,5);
INSERT INTO "bands" VALUES(1600860934563,6);
INSERT INTO "bands" VALUES(1613616941776,3);
INSERT INTO "bands" VALUES(1622328046237,6);
INSERT INTO "bands" VALUES(1624107072693,1);
INSERT INTO "bands" VALUES(1627451647377,3);
INSERT INTO "bands" VALUES(1629099090416,21);
INSERT INTO "bands" VALUES(1639870115149,1);
INSERT INTO "bands" VALUES(1655723267862,5);
INSERT INTO "bands" VALUES(1658389860887,5);
INSERT INTO "bands" VALUES(1678782328206,4);
INSERT INTO "bands" VALUES(1685523787439,1);
INSERT INTO "bands" VALUES(1687252772171,21);
INSERT INTO "bands" VALUES(1691577103144,2);
INSERT INTO "bands" VALUES(1692222427948,20);
INSERT INTO "bands" VALUES(1697678835998,21);
INSERT INTO "bands" VALUES(1707533770193,4);
INSERT INTO "bands" VALUES(1709453844929,17);
INSERT INTO "bands" VALUES(1713093070326,2);
INSERT INTO "bands" VALUES(1714908004233,17);
INSERT INTO "bands" VALUES(1721862861942,2);
INSERT INTO "bands" VALUES(1746853081412,1);
INSERT INTO "bands" VALUES(1747187120842,1);
INSERT INTO "bands" VALUES(1751565229066,6);
INSERT INTO "bands" VALUES(1757731162035,5);
INSERT INTO "bands" VALUES(1758897896311,2);
INSERT INTO "bands" VALUES(1767942364519,1);
INSERT INTO "bands" VALUES(1769317353637,18);
INSERT INTO "bands" VALUES(1786085336615,2);
INSERT INTO "bands" VALUES(1788178909185,19);
INSERT INTO "bands" VALUES(1790579098429,18);
INSERT INTO "bands" VALUES(1790672513075,19);
INSERT INTO "bands" VALUES(1817005195403,3);
INSERT INTO "bands" VALUES(1822027533916,4);
INSERT INTO "bands" VALUES(1822320935296,20);
INSERT INTO "bands" VALUES(1826310275013,21);
INSERT INTO "bands" VALUES(1831225866671,1);
INSERT INTO "bands" VALUES(1836983400851,3);
INSERT INTO "bands" VALUES(1845325109309,21);
INSERT INTO "bands" VALUES(1847459674598,21);
INSERT INTO "bands" VALUES(1851577729584,17);
INSERT INTO "bands" VALUES(1855241765193,18);
INSERT INTO "bands" VALUES(1857982315831,18);
INSERT INTO "bands" VALUES(1859855475772,3);
INSERT INTO "bands" VALUES(1867506048444,20);
INSERT INTO "bands" VALUES(1876021557442,4);
INSERT INTO "bands" VALUES(1883059376959,19);
INSERT INTO "bands" VALUES(1891310387845,20);
INSERT INTO "bands" VALUES(1895228118015,1);
INSERT INTO "bands" VALUES(1896249044790,19);
INSERT INTO "bands" VALUES(1904010355219,19);
INSERT INTO "bands" VALUES(1908380845673,20);
INSERT INTO "bands" VALUES(1908910959289,5);
INSERT INTO "bands" VALUES(1923001243302,19);
INSERT INTO "bands" VALUES(1927235465680,18);
INSERT INTO "bands" VALUES(1941434929963,6);
INSERT INTO "bands" VALUES(1943263319134,1);
INSERT INTO "bands" VALUES(1944161861851,19);
INSERT INTO "bands" VALUES(1978336215562,19);
INSERT INTO "bands" VALUES(1991005319305,5);
INSERT INTO "bands" VALUES(2010602676239,21);
INSERT INTO "bands" VALUES(2011070275120,17);
INSERT INTO "bands" VALUES(2015363344158,18);
INSERT INTO "bands" VALUES(2020688736341,6);
INSERT INTO "bands" VALUES(2022415386635,6);
INSERT INTO "bands" VALUES(2028281389384,4);
INSERT INTO "bands" VALUES(2031329054766,4);
INSERT INTO "bands" VALUES(2031445579205,17);
INSERT INTO "bands" VALUES(2043531442983,3);
INSERT INTO "bands" VALUES(2044634651230,1);
INSERT INTO "bands" VALUES(2059298076703,18);
INSERT INTO "bands" VALUES(2061829382696,1);
INSERT INTO "bands" VALUES(2066993140221,17);
INSERT INTO "bands" VALUES(2075900933015,21);
INSERT INTO "bands" VALUES(2099663695723,2);
INSERT INTO "bands" VALUES(2109046270566,17);
INSERT INTO "bands" VALUES(2109480542523,17);
INSERT INTO "bands" VALUES(2114726294781,6);
INSERT INTO "bands" VALUES(2122096772972,18);
INSERT INTO "bands" VALUES(2122385041814,1);
INSERT INTO "bands" VALUES(2130384491950,19);
INSERT INTO "bands" VALUES(2132920777297,20);
INSERT INTO "bands" VALUES(2137469169400,17);
INSERT INTO "bands" VALUES(2144519690685,2);
INSERT INTO "bands" VALUES(2150191089278,4);
INSERT INTO "bands" VALUES(2158402303236,17);
INSERT INTO "bands" VALUES(2163436300499,19);
INSERT INTO "bands" VALUES(2171028889559,5);
INSERT INTO "bands" VALUES(2172792024129,20);
INSERT INTO "bands" VALUES(2174547002579,4);
INSERT INTO "bands" VALUES(2176135481776,6);
INSERT INTO "bands" VALUES(2181370981646,1);
INSERT INTO "bands" VALUES(2182411389888,5);
CREATE TABLE candidates (
    id INTEGER PRIMARY KEY,
    topic TEXT NOT NULL,
    key TEXT NOT NULL,       -- the domain of a site, the address of a page
    queue INTEGER NOT NULL,  -- the two change places; which one is high now is knowledge
    rank REAL NOT NULL,
    candidate TEXT NOT NULL, -- JSON
    UNIQUE (topic, key)
);
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    site INTEGER NOT NULL REFERENCES sites (id),
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    old INTEGER,                        -- versions, kept or not; NULL where a record tells all
    new INTEGER,
    noise TEXT NOT NULL DEFAULT '',     -- a person says that it is none, and why
    change TEXT NOT NULL,               -- JSON: all the rest
    record INTEGER,                     -- that came, went or changed
    submission INTEGER                  -- the question whose answer shows it
);
CREATE TABLE contents (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,          -- xxh3_128 of text and source
    content BLOB NOT NULL
);
INSERT INTO "contents" VALUES(1,X'8D718B846A649227913417173429A74C',X'28B52FFD6073018D08006690311D6067DC8097DEE92482FF76F3BFB82C0E689488C222E2D38A10C009A22D290028002A009770071828BCDBD53DB3B6CB31477A153EE6CBB6E4B813B6C8713F73BAC669ED60D1B62526C0300C82B7A94CA7F693DA606A937A284C3D54EA22F194987DAC0694FB994F658C16B67DBD5E25E260281C01EDED9E1794B87A5E477098F93B4840CC9947F6567325B51F44200E0783A15058CC430F4CB827440A3715DAEB15A2E258BDE34DB737643557303199FF3F29B500F15A76CDE2EF9F86317902AA90B6EC200E1E00DD6B10C0CF0F2B3CCD881C7FC4B16938CC22D3614CB9DAF3CD51910DAE80E180626010A00E0C0C2801C30D9A848D5D4E1C3BBC621CB2C1781E8F0186807160B05506C3AFA907');
INSERT INTO "contents" VALUES(2,X'33698A45784CAE322684766C55652C2D',X'28B52FFD6065013D0A00C6D23A24406BDCC3B073BCDC6AFE152EB4B0A9FA496D76CB63F04B936D9031D45413948E4E73200636002F002F00DFA0D68041C1414212E5A1180A81A5C8665E7450ED09F93857C869512B5B7C49369ECF63FF48CE90ED1E5404E19EA876DC9148242202BA903B2503921BFEFBE5C67A193AEFB2A1E9196F00FB0CFBC711D422683C63FFF7C262643FFE4A369E1D49EE88ED024C1B4D47976C735A785AA0E5E5747FB9E5E73127F29A2E4349971FDC76DCC10F2E43A911450C3219796D796ABEE8060C9D77AAFCEECDC2E9F2C22DC38EBADC7E2189F260A8FDB2FBE5F8CBD133AC69B8B05F867499E9F2D2E8EEA521007E6B08D0018A97509545826439285D1F780810A50FFE5F88E50E1C340E52B4986F1D0E4A416E5D0C3487B3D514AC4E51B4DE48EA6EC02A13821BA772D737ADCA898155A3211D64C9A8692A6336AC9CD30083F11E043803');
INSERT INTO "contents" VALUES(3,X'B543E86DE1AF4A8AAB291308C9A94C89',X'28B52FFD605501450A0096123B2540A5460703F6629375A6D915264A64C9B69B599EF0249BE5392388E8F7293327BA0A0C0B50370030002F0090C7FD0D8942C0384040C8C23C12C56280A1203BED3924EC0A18B52F60D5240A2E66F0717C1C690FC80D914C00DC9784217724128900014D6AAAE4CDA0002EBB6FAFCB16EB3AE81B59AADE7116A0EFAC8F3C21510C306AEB23CA19F07164AF2D4AC1E3F81DD102FDD4CAC6C3AF712956CD568DA4ABE8D457B46ED41614692C751D95BACD2943EED8E6741DD598A6E51C8C34A65B310FEBA0EFCC7DF767D1A9BB685DC72F75D92B64611E2BB1D7EDD77DAF3BBDB31E76CD7A5D297557EA2AF93C2100786B08D0017697509245C26339D85C097808C0A40FF65F08E30EDC330E52B4586E1D0E4A016D5D0C3487AED514AC4EB1B3DE28EA6E1F8909218B53B99B9B56E5C440AAD1880EF263FC5C4AEA9CD6227411C17807029C01');
INSERT INTO "contents" VALUES(4,X'BB6DD3E96E935D614C5249E2E3B882E6',X'28B52FFD6054010D0A0036D23823506BDB50E96267924E2CE7E6CA9A473B6FC0494FB3980F02A7DAFD94A819666232FC0134002D002E00BF90D4C04271908F447124C542604190CDBCC890201EA3241743C868492A597C4936CF7E206F64BB86F438B827A91B6F20108887CC175D5DC79D9201C90DFFFD325BBD0C9B77D94EF48C33807D663DC4139232C8874BC9E619FBBF155441F3D82EEEA1A58CD6D1E5DA8C168E166739E1743FE196216F3591C7741942BAFCE076E30D7E7019428CE75990C9C863CB510C9B77AAFCEE4D395D566E1976D465F6FB4814073BEC97DD2FC75F7E9E59ADE1B27ED9D1E5A5CB4AA3072200776B08D0017697D09145A26339D85C13765EC0240AFAAF09E30EFC330E52B4586E1D0E4A016D5D0C3487AED594AC4EB1B3F4309AAD1F9409C18D53B99B9B56E5C460AAD18A0ED263D24C4A6A9CD624741DA0B00A1E5610C00C');
INSERT INTO "contents" VALUES(5,X'A18A68FB4EB3BE3BB91CAF63DDDDDF8A',X'28B52FFD605D014D0A00C6523B2630A54807C008001BF64CB3FD4C94C812AB000A1DD8F42CCAF2ABAB80072671A4120ECA154A0C36002F002F00DCCFB094440181014A1E4B64251A030A0672E3A486C58E80507B0256CC52F0FBC149D071E4897208723BAC0980FB63F1E31004021120A991F78202B8FCDEBD6E63ACFB9E6FE4A8FAC65B807EC31EF283A53490F1828E2B0C94F89F15D071841C7B88F205292C1D0E4B8D4CB162B662225D45A7BEA27521C79E896BA9FBA8D4754FF971C8BAA7FB28C734B1D7E0C435DDAA39931AFB9EEFCC7D7767D1A9BB68DDC752EAB657C963896CD45EB75F577ADDE91BE6F063D8EB46A9CB525749C9FBA921007B6B08D0018097D09345226439005D088012D0B90BF4AD90C81DF8671CA468F1DD3A1C9442DBBA18680E62AB29589D0268BD71D4DD3F3E134216A7728737ADCA890155A3191DA4C8D0991447319DDD2398828715043003');
INSERT INTO "contents" VALUES(6,X'A33CF4753E2EAAAF565B9052B46314DF',X'28B52FFD6056012D0A00B6123B254065881B03B2F5E556F37FC1DE6A615385DE47B30368DCD32482311C99586962C7939D410135002F002F00EE11D422481828B281280C955018D6CA665E4C501D9927393DEEC869512BDF05788D6C3C5B7C48B673A848803BA2DAF1A450280C0853F345571772A7E44072C37FBFDC582F43E75D36343DE34D609F61FFF8815A05B1FF7900D6CA8E244FB2F164ADC40E1ADDBDC474D17474C936A785A7055A3E38DD3FB8E5E731E7F19A2E4349971FDC763CE10797A1B4882206997CBCB61C0C9D77AAFCEE0DC2E932C22DC38EBADC7E1B88C248280C6B31D47ED9FD72FCE5E819D6345CD82F43BACC7479052000786B08D0017897509245C26339E05C1E7408C8A404FC5F48E30E0C340E52B4786E1D1E14314073F05A4DD1EA143C0B0EA3EEFA419910DC38953BBA69554E0CA61AADE8203F264D53198761E19B56178CD720C019');
INSERT INTO "contents" VALUES(7,X'5AF953FB3CDE6DEC48CA8D740B560434',X'28B52FFD2061750200F403100000004E6F20726573756C747320666F756E643C68746D6C206C616E673D656E3E3C7469746C653E462F3C626F64793E3C703E2F703E3C2F2F68746D6C3E0400410DDAAB7930F1AADB5906');
INSERT INTO "contents" VALUES(8,X'9CA49DAF75CAD8FB12E7FCEC13C7B052',X'28B52FFD6090034D0900320B231F90356DFFFF338AA089C06453D1C45AE80DF381FDD2DC249BF25977BD5E6D7FEC8A961097FD51558DC94C55358C5210C7E5839B9C8886A357BAB38CF8B2FFF2029717CB06E80F8B8B54F203DCDE90B6ACDA9050C7CF152DADAA499359323355D91905EFFEA914F5083FC7ADD3EA904AFEB80076EA1367A16B6FDD87CB73FF85200060CD13D6EB040884C24148A8F1D992A4A41E590EB042A1CA0E124851699E6508524A981188540558EB590EB71A99FFF2A0CA75F22AF253BF6D17202463DF64B2BB644029C691F0E524A7909CCCB273C37D0A2068C882020100A5D8A360047781D0EE501CB05DF8DFA033050F7DB7E17FBD9102141945470FEE13CC47C8732189A6D18F2A1D22062FDC2123CFC92F099E5D05B09A1A4E59EADBEE3EF57A4CBB86B2964C15');
INSERT INTO "contents" VALUES(9,X'D1EF19070AEC5A7E81A7342AAD836BDE',X'28B52FFD208DC502003205121790A76DB028C57B9BC326126A3CDEE1E40F8E8080EE26B7F8A215398287C3E5C80D50DF843E5C15A4CDDB8B56B76C9EC856EADA5903230304ECE7650AB69C721DD3B76A1963100104005305B10AB0C41C1CE6A5CE');
INSERT INTO "contents" VALUES(10,X'A2BC4DE98C127A2374F44899C2A37EFF',X'28B52FFD208DBD020032C5111790B56D689114EFE6FB6E937EDCFB01C494198180EE26B779D6CBA0C9416284068DD477D298AB85DAF33BEB8502FE795D3BBA9736C0C80DC4FDDC0EC0E95B15DDB23A2D95528404005305B10AB0C41C1CE6A5CE');
INSERT INTO "contents" VALUES(11,X'A6454E3D1C27E393F068A0AD9B3FF65D',X'28B52FFD208DC502003205121890256E689114EC8687881523EEFB01C896700A12EAEE001279D6AB60C942E283058FD477A031570DC09ADF592FD4B7EAB966742FED80D511C5FDDC90E008FCF3BA6574A308214304005305B10AB0C41C1CE6A5CE');
INSERT INTO "contents" VALUES(12,X'60592E83CA4E5C31362F86158B003CD8',X'28B52FFD208DC502003205121790A76DB028C57B9BC326126A3CDEE1644D8C8780EE26B7F8A215398287C3E5C80D50DF843E5C15A4CDDB8B56B76C9EC856EADA5903230304ECE7650AB69C721DD3B76A1963100104005305B10AB0C41C1CE6A5CE');
INSERT INTO "contents" VALUES(13,X'33A9D7F86E3334DD1F75D5B068C2A385',X'28B52FFD208FD502004245121890256E689114EC860762D8F63CEE07201B6AFE88EFAE800479D6AB60C9426284058DD477A031570BB5E777D60B09FCF3BA76742FED80014718733FB74370FA5645B7AC4E4B8490210400540581154C898948D0569D01');
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL UNIQUE, -- of its key
    key TEXT NOT NULL,
    page INTEGER,
    record INTEGER,
    digest TEXT NOT NULL,
    behind_form INTEGER NOT NULL
);
INSERT INTO "documents" VALUES(1,439419839926386984,'http://library.example/',1,NULL,'7e512317ddacaf9183ca8bab',0);
INSERT INTO "documents" VALUES(2,-3856743721305945558,'http://library.example/book/1',2,NULL,'e90240c9b9517963ba63fb82',0);
INSERT INTO "documents" VALUES(3,-3343328354831007682,'http://library.example/book/2',3,NULL,'f217e1da9fdf823cbf4e69bc',0);
INSERT INTO "documents" VALUES(4,-5495554282703048884,'http://library.example/book/3',4,NULL,'4f7d2621c7b9d7d4c21cc69a',0);
INSERT INTO "documents" VALUES(5,-2363356318625066835,'http://library.example/book/4',5,NULL,'dabeb5c3ddda7829e33efeb8',0);
INSERT INTO "documents" VALUES(6,3016133285946069219,'http://library.example/book/5',6,NULL,'58d6d247d06042f307572dc0',0);
INSERT INTO "documents" VALUES(7,5170809148946551679,'http://library.example/scroll/1',17,1,'6884847d0bc75066d58b2d18',1);
INSERT INTO "documents" VALUES(8,-7577316050634499843,'http://library.example/scroll/3',18,2,'4bbb4bec7732ad73d58b2d18',1);
INSERT INTO "documents" VALUES(9,1412450493621984068,'http://library.example/scroll/5',19,3,'b1ddd6b972ee1e5cd58b2d18',1);
INSERT INTO "documents" VALUES(10,3051019918644819089,'http://library.example/scroll/9',20,4,'af023b0019be6d0cd58b2d18',1);
INSERT INTO "documents" VALUES(11,8843130961489312467,'http://library.example/scroll/11',21,5,'afd1ffe92123f296d58b2d18',1);
INSERT INTO "documents" VALUES(12,2263590854336392789,'http://library.example/scroll/13',NULL,6,'cf46117c7a571cd2',1);
INSERT INTO "documents" VALUES(13,2559896614585252354,'http://library.example/scroll/17',NULL,7,'e342d1d2d6c21a2a',1);
INSERT INTO "documents" VALUES(14,918386268748703051,'http://library.example/scroll/19',NULL,8,'4fc98c6328da6bdb',1);
CREATE TABLE due (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    host INTEGER NOT NULL,
    not_before REAL NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    leased INTEGER NOT NULL DEFAULT 0,
    expected REAL NOT NULL,             -- the chance that it finds a change
    gain REAL NOT NULL DEFAULT 0,       -- what it adds to the share of all pages that are as they were read
    said INTEGER NOT NULL DEFAULT 0,    -- what a sitemap said of the page: 1 that it changed, -1 that it did not, 0 nothing
    step INTEGER NOT NULL DEFAULT 0     -- it was not planned: a further page of an answer that is looked at now
);
INSERT INTO "due" VALUES(2,1,1735068572.57,0,1,4.7047138214111328125e-03,7.84118970235188729803e-04,0,0);
INSERT INTO "due" VALUES(3,1,1735068572.571,0,1,4.7004222869873046875e-03,0.000783403714497884,0,0);
INSERT INTO "due" VALUES(4,1,1735068572.572,0,1,4.69774007797241210937e-03,7.82956679662068612615e-04,0,0);
INSERT INTO "due" VALUES(5,1,1735068572.573,0,1,4.694461822509765625e-03,7.82410303751627568026e-04,0,0);
INSERT INTO "due" VALUES(6,1,1735068572.574,0,1,4.6894550323486328125e-03,7.81575838724772099276e-04,0,0);
CREATE TABLE explored (
    topic TEXT NOT NULL,
    key TEXT NOT NULL,
    kind INTEGER NOT NULL,              -- 0 off topic, 1 on topic, 2 with search forms on the topic
    seed INTEGER NOT NULL DEFAULT 0,
    candidate TEXT NOT NULL,            -- JSON: what was known before the visit
    progress TEXT NOT NULL DEFAULT '[]', -- JSON: pages and forms by depth
    barren INTEGER NOT NULL DEFAULT 0,  -- pages since the last form on the topic
    features TEXT NOT NULL DEFAULT '[]', -- JSON: of the site, for its links
    forms INTEGER NOT NULL DEFAULT 0,   -- on the topic
    language TEXT NOT NULL DEFAULT '',
    verdict TEXT NOT NULL DEFAULT '',   -- JSON: of the site classifier, with its reasons
    opened REAL NOT NULL,
    ended TEXT,                         -- the criterion that ended the visit; NULL while it may go on
    PRIMARY KEY (topic, key)
) WITHOUT ROWID;
CREATE TABLE extracted (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    page INTEGER NOT NULL REFERENCES pages (id),
    place INTEGER NOT NULL,             -- 0 where the page is about one record; in a list from 1 on
    at REAL NOT NULL,
    deviates INTEGER NOT NULL,          -- the page looked different from those that were learnt from
    record INTEGER,                     -- the record it is about
    attributes TEXT NOT NULL            -- JSON: names, each with its values as the page has them
);
INSERT INTO "extracted" VALUES(1,1,2,0,1735068552.028,0,NULL,'{"title": ["The Mountain of Bird 1"], "author": ["John Doe"], "price": ["21.25"], "isbn": ["9780000000001"]}');
INSERT INTO "extracted" VALUES(2,1,3,0,1735068552.028,0,NULL,'{"title": ["The River of Sea 2"], "author": ["John Doe"], "price": ["28.31"], "isbn": ["9780000000002"]}');
INSERT INTO "extracted" VALUES(3,1,4,0,1735068552.028,0,NULL,'{"title": ["The House of Bird 3"], "author": ["Ada Byron"], "price": ["28.87"], "isbn": ["9780000000003"]}');
INSERT INTO "extracted" VALUES(4,1,5,0,1735068552.028,0,NULL,'{"title": ["The House of Night 4"], "author": ["John Doe"], "price": ["51.60"], "isbn": ["9780000000004"]}');
INSERT INTO "extracted" VALUES(5,1,6,0,1735068552.028,0,NULL,'{"title": ["The Bird of Night 5"], "author": ["Tony Hoare"], "price": ["55.98"], "isbn": ["9780000000005"]}');
CREATE TABLE form_topics (
    form INTEGER NOT NULL REFERENCES forms (id),
    topic TEXT NOT NULL,
    relevance REAL NOT NULL,
    relevant INTEGER NOT NULL,
    PRIMARY KEY (form, topic)
) WITHOUT ROWID;
CREATE TABLE forms (
    id INTEGER PRIMARY KEY,
    site INTEGER NOT NULL REFERENCES sites (id),
    hash INTEGER NOT NULL, -- of method, action and controls
    page_url TEXT NOT NULL,
    form TEXT NOT NULL,    -- JSON
    ask INTEGER NOT NULL,
    kind TEXT NOT NULL,    -- what it is taken for: search, login, newsletter ...
    probability REAL NOT NULL DEFAULT 0, -- that it searches
    verdict TEXT NOT NULL DEFAULT '',    -- JSON: all that decided, for people who ask why
    why TEXT NOT NULL,     -- why it is in its state
    state TEXT NOT NULL,
    found REAL NOT NULL,
    queries INTEGER NOT NULL DEFAULT 0,
    records INTEGER NOT NULL DEFAULT 0,
    chooser TEXT NOT NULL DEFAULT '', -- JSON: what was learnt about what to ask
    coverage TEXT NOT NULL DEFAULT '', -- JSON: records met, how many there are by our estimate, at least, at most
    UNIQUE (site, hash)
);
INSERT INTO "forms" VALUES(1,1,-4762331206600694363,'http://library.example/','{"page_url": "http://library.example/", "action": "http://library.example/stones", "method": "GET", "fields": [{"name": "q", "kind": "search", "label": "Search", "hints": [{"where": "before", "text": "Search"}]}, {"name": "", "kind": "submit", "label": "Search", "hints": [{"where": "button", "text": "Search"}]}], "text": "Search Search Search", "heading": "Library", "names": "search", "around": "body", "page_title": "The library", "language": "en"}',1,'search',9.99516410367672913928e-01,'{"ask": true, "kind": "search", "searchable": true, "probability": 0.9995164103676729, "query_box": 0, "button": 1, "why": ["three or more places in it say search", "it has one text box and says search", "it says ''search''", "its only box says ''q''", "a box says ''search''", "nothing in it says something other than search", "in all, the chance that it is a search is 1.00"], "refusals": [], "by_hand": "", "overruled": []}','three or more places in it say search; it has one text box and says search; it says ''search''; its only box says ''q''; a box says ''search''; nothing in it says something other than search; in all, the chance that it is a search is 1.00','asking',1735068542.148,3,0,'{"version": 2, "asking": [{"reach": {"most": null, "refused": null, "page_size": 1, "longest_shown": 0, "is_silent": false, "ended_at": []}, "latest": [[0, 0, 0], [0, 0, 0], [0, 0, 0]], "most_told": 0, "shown": [0, 0], "under_way": null, "places": [], "habits": {"finds_any": false, "longest_refused": 0, "shortest_found": null, "stop_words": 0, "numbers": 0, "label_share": 1.01}, "word_forms": {"same": 0}, "expecting": {"of_found": [[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], "of_found_of_all": [[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], "of_unseen": [[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], "totals": []}, "known_before": 0, "parts": {}, "elsewhere": 0.0, "expected": null}, ["en", ["book", "library", "beetle", "candle", "dragon", "falcon", "garnet", "hollow", "amber", "ember"], [], ["book", "library", "new"], 3, false], 3, false, 0, null, 0.0, [], [["", "*", "the"], false, null, null, 0, 0, 0, 0, false, 0], null, null, 0, []], "brought": [], "fingerprint": 9102094907302784913, "known": {"page_blocks": ["line 266f5f82243d6b04", "line 60ff57daef891474", "line b93ac2a24aa2924a", "line c20f6b93445da6f6"], "page_forms": [3571200016315810160, 11315495279909028183], "page_links": ["http://library.example/book/1", "http://library.example/book/2", "http://library.example/book/3", "http://library.example/book/4", "http://library.example/book/5"], "shapes": [], "empty": [-3778612253098515492, 16921287969030478626], "kinds": [], "lists": [], "hideable": ["http://library.example/book/1", "http://library.example/book/2", "http://library.example/book/3", "http://library.example/book/4", "http://library.example/book/5"]}, "confirmation": ["xqzdvtgmm", "open", "", [], 0, false, "new", false, false, 0, 0, 0, 0, 3], "missing": 0, "met": 0, "new_to_site": 0}','');
INSERT INTO "forms" VALUES(2,1,8731658659769931040,'http://library.example/','{"page_url": "http://library.example/", "action": "http://library.example/scrolls", "method": "POST", "fields": [{"name": "w", "kind": "search", "label": "Search the scrolls", "hints": [{"where": "before", "text": "Search the scrolls"}]}, {"name": "", "kind": "submit", "label": "Search", "hints": [{"where": "button", "text": "Search"}]}], "text": "Search the scrolls Search Search", "aside": "Library", "names": "search", "place": 1, "around": "body", "page_title": "The library", "language": "en"}',1,'search',9.99340210220540203778e-01,'{"ask": true, "kind": "search", "searchable": true, "probability": 0.9993402102205402, "query_box": 0, "button": 1, "why": ["it says ''search''", "three or more places in it say search", "it has one text box and says search", "its only box says ''search''", "nothing in it says something other than search", "a box says ''search''", "against that: it is sent by POST", "in all, the chance that it is a search is 1.00"], "refusals": [], "by_hand": "", "overruled": []}','it says ''search''; three or more places in it say search; it has one text box and says search; its only box says ''search''; nothing in it says something other than search; a box says ''search''; against that: it is sent by POST; in all, the chance that it is a search is 1.00','asking',1735068542.149,8,8,'{"version": 2, "asking": [{"reach": {"most": null, "refused": null, "page_size": 8, "longest_shown": 8, "is_silent": false, "ended_at": []}, "latest": [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [8, 8, 0]], "most_told": 8, "shown": [8, 0], "under_way": null, "places": [], "habits": {"finds_any": false, "longest_refused": 0, "shortest_found": 6, "stop_words": 0, "numbers": 0, "label_share": 1.01}, "word_forms": {"same": 0}, "expecting": {"of_found": [[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], "of_found_of_all": [[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], "of_unseen": [[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], "totals": [[8, 8, 0]]}, "known_before": 0, "parts": {}, "elsewhere": 0.0, "expected": null}, ["en", ["book", "library", "beetle", "candle", "dragon", "falcon", "garnet", "hollow", "amber", "ember"], [], ["book", "library", "new", "beetle"], 0, true], 0, false, 8, null, 0.0, [], [[], false, null, null, 3, 0, 8, 0, false, 8], null, null, 0, []], "brought": [[7497393839260863531, 21]], "fingerprint": 9102094907302784913, "known": {"page_blocks": ["line 266f5f82243d6b04", "line 60ff57daef891474", "line b93ac2a24aa2924a", "line c20f6b93445da6f6"], "page_forms": [3571200016315810160, 11315495279909028183], "page_links": ["http://library.example/book/1", "http://library.example/book/2", "http://library.example/book/3", "http://library.example/book/4", "http://library.example/book/5"], "shapes": ["http://library.example/scroll/*?"], "empty": [-3778612253098515492, 16921287969030478626], "kinds": ["li < ol < body"], "lists": [], "hideable": ["http://library.example/book/1", "http://library.example/book/2", "http://library.example/book/3", "http://library.example/book/4", "http://library.example/book/5"]}, "confirmation": ["xqzzzbdvt", "doubtful", "5 answers, and none to a word that does not exist", ["http://library.example/scroll/1", "http://library.example/scroll/11", "http://library.example/scroll/13", "http://library.example/scroll/17", "http://library.example/scroll/19", "http://library.example/scroll/3", "http://library.example/scroll/5", "http://library.example/scroll/9"], 0, false, "beetle", false, true, 7497393839260863531, 7989773270669711928, 0, 0, 5], "missing": 0, "met": 8, "new_to_site": 8}','[8, 8, 8, 15]');
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE, -- https://www.example.org, with its port unless it is the usual one
    site INTEGER NOT NULL REFERENCES sites (id),
    robots TEXT,                 -- JSON: the rules, and until when they hold
    paused_until REAL NOT NULL DEFAULT 0,
    paused_why TEXT
);
INSERT INTO "hosts" VALUES(1,'http://library.example',1,'["allow", "", 1735068540.175, 1735154940.175]',0.0,NULL);
CREATE TABLE knowledge (
    part TEXT NOT NULL,
    subject TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (part, subject)
) WITHOUT ROWID;
INSERT INTO "knowledge" VALUES('details','2','[[], 0, [], 0]');
INSERT INTO "knowledge" VALUES('plan','','{"looks": 6, "pages": 6, "fresh_before": 0.9952507416407267, "fresh_after": 1.0, "lost": 0.0, "wanted": "Budget(requests=8, by_day=False) []", "further": 2}');
CREATE TABLE learnt (
    topic TEXT NOT NULL,
    part TEXT NOT NULL,
    term TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (topic, part, term)
) WITHOUT ROWID;
CREATE TABLE links (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL, -- of method, canonical address and body
    host INTEGER NOT NULL REFERENCES hosts (id),
    url TEXT NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    bucket INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL DEFAULT 'page',
    hops INTEGER NOT NULL DEFAULT 0,
    redirects INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    parent INTEGER,        -- the link whose page had it
    submission INTEGER,    -- the question it belongs to
    page_number INTEGER NOT NULL DEFAULT 1,
    not_before REAL NOT NULL DEFAULT 0,
    why TEXT,              -- why it was missed or refused
    anchor TEXT NOT NULL DEFAULT '',  -- these three where links are ranked: what the link says,
    around TEXT NOT NULL DEFAULT '',  -- the words around it,
    tag_path TEXT NOT NULL DEFAULT '' -- and its place in the page
);
INSERT INTO "links" VALUES(1,-8783952196928388824,1,'http://library.example/',2,1,'page',0,0,0,NULL,NULL,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(2,5366628315548830250,1,'http://library.example/book/1',2,2,'page',1,0,0,1,NULL,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(3,5880043682023768126,1,'http://library.example/book/2',2,2,'page',1,0,0,1,NULL,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(4,3727817754151726924,1,'http://library.example/book/3',2,2,'page',1,0,0,1,NULL,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(5,6860015718229708973,1,'http://library.example/book/4',2,2,'page',1,0,0,1,NULL,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(6,-6207238750908706589,1,'http://library.example/book/5',2,2,'page',1,0,0,1,NULL,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(7,-3879405663544574477,1,'http://library.example/author/1',2,3,'page',2,0,0,2,NULL,1,0.0,'status 404','','','');
INSERT INTO "links" VALUES(8,4580723324608411076,1,'http://library.example/author/2',2,3,'page',2,0,0,3,NULL,1,0.0,'status 404','','','');
INSERT INTO "links" VALUES(9,-1454077234665860666,1,'http://library.example/author/3',2,3,'page',2,0,0,4,NULL,1,0.0,'status 404','','','');
INSERT INTO "links" VALUES(10,-6586080068918497027,1,'http://library.example/author/4',2,3,'page',2,0,0,5,NULL,1,0.0,'status 404','','','');
INSERT INTO "links" VALUES(11,-4106110726308455906,1,'http://library.example/author/5',2,3,'page',2,0,0,6,NULL,1,0.0,'status 404','','','');
INSERT INTO "links" VALUES(12,-3709347865026210205,1,'http://library.example/stones?q=book',2,0,'answer',1,0,0,NULL,1,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(13,-4112109914828576174,1,'http://library.example/stones?q=library',2,0,'answer',1,0,0,NULL,2,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(14,1551076929226769835,1,'http://library.example/stones?q=new',2,0,'answer',1,0,0,NULL,3,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(15,-6510767954318523846,1,'http://library.example/scrolls',2,0,'answer',1,0,0,NULL,4,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(16,-5186383248854966411,1,'http://library.example/scrolls',2,0,'answer',1,0,0,NULL,5,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(17,-5114976064646028378,1,'http://library.example/scrolls',2,0,'answer',1,0,0,NULL,6,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(18,-8468888289923562784,1,'http://library.example/scrolls',2,0,'answer',1,0,0,NULL,7,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(19,4111472112927966279,1,'http://library.example/scrolls',2,0,'answer',1,0,0,NULL,8,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(20,1538250954289628540,1,'http://library.example/scrolls',2,0,'answer',1,0,0,NULL,9,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(21,-2820761801043565933,1,'http://library.example/scrolls',2,0,'answer',1,0,0,NULL,10,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(22,-4052562887908224129,1,'http://library.example/scroll/1',2,0,'record',2,0,0,21,10,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(23,1646055986220275965,1,'http://library.example/scroll/3',2,0,'record',2,0,0,21,10,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(24,-7810921543232791740,1,'http://library.example/scroll/5',2,0,'record',2,0,0,21,10,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(25,-6172352118209956719,1,'http://library.example/scroll/9',2,0,'record',2,0,0,21,10,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(26,-380241075365463341,1,'http://library.example/scroll/11',2,0,'record',2,0,0,21,10,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(27,-6959781182518383019,1,'http://library.example/scroll/13',1,4,'record',2,0,0,21,10,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(28,-6663475422269523454,1,'http://library.example/scroll/17',1,4,'record',2,0,0,21,10,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(29,-8304985768106072757,1,'http://library.example/scroll/19',1,4,'record',2,0,0,21,10,1,0.0,NULL,'','','');
INSERT INTO "links" VALUES(30,-673585168396993393,1,'http://library.example/scrolls',1,0,'answer',1,0,0,NULL,11,1,0.0,NULL,'','','');
CREATE TABLE looks (
    page INTEGER PRIMARY KEY REFERENCES pages (id),
    at REAL NOT NULL,                   -- of the last one, whatever came of it
    looks INTEGER NOT NULL,
    changed INTEGER NOT NULL,           -- those that found a change
    step TEXT NOT NULL,                 -- where the last one ended
    why TEXT NOT NULL DEFAULT '',
    known TEXT NOT NULL,                -- JSON: all but the version
    version BLOB NOT NULL,              -- compressed JSON: what it said, and the records it had
    odds BLOB NOT NULL                  -- how likely what they found is at each rate of change
);
INSERT INTO "looks" VALUES(1,1735068572.648,1,0,'same_bytes','','{"url":"http://library.example/","at":1735068572.648,"etag":"","last_modified":"","raw":-1465285504913914567,"fingerprint":7778680602116891706,"own":[],"held":[],"missing":[],"unreachable":[],"gone":null,"doubts":0,"is_closed":true,"faces":[],"pages":0,"is_whole":false}',X'28B52FFD604901A508009653381F5067E30643EA9D3182335E99223E746F1B994D548CBB53E48FAF3533F351013A002A0029005F35048A0270F01C28EF298951B8C472184C4221BC63C099846238968271AF903808C63D857388591C82384EC0617816CBB12087675C2270180BAC984FD66C458A9AC96A2D4A9852A92F4608395BADEC1F7BB5933B956176A27EDA55CE94A95FC5761805BC92772952475DAA33F5F79889975A9BD4227A275649BFD8EB7AF49549FFA5C8C9BCFB2BC5A7BAF2D2AD316CAD9D024D187DB19DC3383CE319188B8282180FA1480E1E650CDB524AF5478930A5A7FE3511E653B35AEF6313004C6CD0F23D80630243B6837A1740A605A01C10191005888B50372EB6C1B1BA8C0388007280B05828E7F3E6268A1D',X'00000280048008800E8016802380368053807E80BE801E81AD818482C583A4853988528ABA8C128F4A91E993EB956D989E9AF39C679F89A124A431A6A1A8EDAA');
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL
);
INSERT INTO "outbox" VALUES(1,1);
INSERT INTO "outbox" VALUES(2,2);
INSERT INTO "outbox" VALUES(3,3);
INSERT INTO "outbox" VALUES(4,4);
INSERT INTO "outbox" VALUES(5,5);
INSERT INTO "outbox" VALUES(6,6);
INSERT INTO "outbox" VALUES(7,2);
INSERT INTO "outbox" VALUES(8,3);
INSERT INTO "outbox" VALUES(9,4);
INSERT INTO "outbox" VALUES(10,5);
INSERT INTO "outbox" VALUES(11,6);
INSERT INTO "outbox" VALUES(12,7);
INSERT INTO "outbox" VALUES(13,8);
INSERT INTO "outbox" VALUES(14,9);
INSERT INTO "outbox" VALUES(15,10);
INSERT INTO "outbox" VALUES(16,11);
INSERT INTO "outbox" VALUES(17,12);
INSERT INTO "outbox" VALUES(18,13);
INSERT INTO "outbox" VALUES(19,14);
INSERT INTO "outbox" VALUES(20,7);
INSERT INTO "outbox" VALUES(21,8);
INSERT INTO "outbox" VALUES(22,9);
INSERT INTO "outbox" VALUES(23,10);
INSERT INTO "outbox" VALUES(24,11);
CREATE TABLE page_posts (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    body BLOB NOT NULL,
    content_type TEXT NOT NULL,
    sent REAL -- not to be sent again
);
CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    link INTEGER NOT NULL UNIQUE REFERENCES links (id),
    site INTEGER NOT NULL,
    url TEXT NOT NULL,
    kind TEXT NOT NULL,
    status INTEGER NOT NULL,
    first_seen REAL NOT NULL,
    last_seen REAL NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    structure INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    duplicate_of INTEGER,
    duplicate_why TEXT NOT NULL DEFAULT '', -- what decided that it repeats that page
    etag TEXT NOT NULL DEFAULT '',
    last_modified TEXT NOT NULL DEFAULT '',
    marks TEXT NOT NULL DEFAULT ''
);
INSERT INTO "pages" VALUES(1,1,1,'http://library.example/','page',200,1735068540.184,1735068540.184,'The library','en',1231006051226384080,9102094907302784913,NULL,'','','','');
INSERT INTO "pages" VALUES(2,2,1,'http://library.example/book/1','page',200,1735068542.18,1735068542.18,'The Mountain of Bird 1 - Shop','en',-4564021702237897581,-1656690477777192605,NULL,'','','','');
INSERT INTO "pages" VALUES(3,3,1,'http://library.example/book/2','page',200,1735068542.208,1735068542.208,'The River of Sea 2 - Shop','en',-4564021702237897581,-1002084062965300676,NULL,'','','','');
INSERT INTO "pages" VALUES(4,4,1,'http://library.example/book/3','page',200,1735068542.226,1735068542.226,'The House of Bird 3 - Shop','en',-4564021702237897581,5727776227611760596,NULL,'','','','');
INSERT INTO "pages" VALUES(5,5,1,'http://library.example/book/4','page',200,1735068542.247,1735068542.247,'The House of Night 4 - Shop','en',-4564021702237897581,-2684508475020904407,NULL,'','','','');
INSERT INTO "pages" VALUES(6,6,1,'http://library.example/book/5','page',200,1735068542.28,1735068542.28,'The Bird of Night 5 - Shop','en',-4564021702237897581,6401535126234219251,NULL,'','','','');
INSERT INTO "pages" VALUES(7,12,1,'http://library.example/stones?q=book','answer',200,1735068617.255,1735068617.255,'Found','en',-3778612253098515492,-5099549625751006646,NULL,'','','','');
INSERT INTO "pages" VALUES(8,13,1,'http://library.example/stones?q=library','answer',200,1735068617.5,1735068617.5,'Found','en',-3778612253098515492,-5099549625751006646,NULL,'','','','');
INSERT INTO "pages" VALUES(9,14,1,'http://library.example/stones?q=new','answer',200,1735068617.692,1735068617.692,'Found','en',-3778612253098515492,-5099549625751006646,NULL,'','','','');
INSERT INTO "pages" VALUES(10,15,1,'http://library.example/scrolls','answer',200,1735068617.996,1735068617.996,'Found','en',-3778612253098515492,-5099549625751006646,NULL,'','','','');
INSERT INTO "pages" VALUES(11,16,1,'http://library.example/scrolls','answer',200,1735068618.196,1735068618.196,'Found','en',-3778612253098515492,-5099549625751006646,NULL,'','','','');
INSERT INTO "pages" VALUES(12,17,1,'http://library.example/scrolls','answer',200,1735068618.621,1735068618.621,'Found','en',-3778612253098515492,-5099549625751006646,NULL,'','','','');
INSERT INTO "pages" VALUES(13,18,1,'http://library.example/scrolls','answer',200,1735068618.82,1735068618.82,'Found','en',-3778612253098515492,-5099549625751006646,NULL,'','','','');
INSERT INTO "pages" VALUES(14,19,1,'http://library.example/scrolls','answer',200,1735068619.016,1735068619.016,'Found','en',-3778612253098515492,-5099549625751006646,NULL,'','','','');
INSERT INTO "pages" VALUES(15,20,1,'http://library.example/scrolls','answer',200,1735068619.186,1735068619.186,'Found','en',-3778612253098515492,-5099549625751006646,NULL,'','','','');
INSERT INTO "pages" VALUES(16,21,1,'http://library.example/scrolls','answer',200,1735068619.368,1735068619.368,'Found','en',6724203945555418706,8158614966908017847,NULL,'','','','');
INSERT INTO "pages" VALUES(17,22,1,'http://library.example/scroll/1','record',200,1735068619.576,1735068619.576,'Scroll','en',4811472731912131509,7531290149473701990,NULL,'','','','');
INSERT INTO "pages" VALUES(18,23,1,'http://library.example/scroll/3','record',200,1735068619.736,1735068619.736,'Scroll','en',4811472731912131509,5457038852473662835,NULL,'','','','');
INSERT INTO "pages" VALUES(19,24,1,'http://library.example/scroll/5','record',200,1735068619.889,1735068619.889,'Scroll','en',4811472731912131509,-5630107867157750180,NULL,'','','','');
INSERT INTO "pages" VALUES(20,25,1,'http://library.example/scroll/9','record',200,1735068620.046,1735068620.046,'Scroll','en',4811472731912131509,-5836037295500792564,NULL,'','','','');
INSERT INTO "pages" VALUES(21,26,1,'http://library.example/scroll/11','record',200,1735068620.202,1735068620.202,'Scroll','en',4811472731912131509,-5777555470191168874,NULL,'','','','');
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    site INTEGER NOT NULL REFERENCES sites (id),
    hash INTEGER NOT NULL, -- of its key
    key TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    url TEXT,
    submission INTEGER,    -- the first that brought it
    page INTEGER,          -- the answer it was first read on
    first_seen REAL NOT NULL,
    last_seen REAL NOT NULL,
    times INTEGER NOT NULL DEFAULT 1,
    link INTEGER,          -- where its own page is, if it has one
    detail TEXT,           -- what its own page says besides the template; NULL until that was read
    attributes TEXT NOT NULL DEFAULT '[]', -- JSON: names and values, as the answer labels them
    gone REAL,             -- since when no answer shows it that used to; NULL while one does
    UNIQUE (site, hash)
);
INSERT INTO "records" VALUES(1,1,5170809148946551679,'http://library.example/scroll/1','Scroll 1','Scroll 1 beetle dragon scroll 1, found near falcon','http://library.example/scroll/1',10,16,1735068619.368,1735068619.368,1,22,'beetle dragon scroll 1, found near falcon','[["title", "Scroll 1"], ["text", "beetle dragon scroll 1, found near falcon"]]',NULL);
INSERT INTO "records" VALUES(2,1,-7577316050634499843,'http://library.example/scroll/3','Scroll 3','Scroll 3 dragon beetle scroll 3, found near hollow','http://library.example/scroll/3',10,16,1735068619.368,1735068619.368,1,23,'dragon beetle scroll 3, found near hollow','[["title", "Scroll 3"], ["text", "dragon beetle scroll 3, found near hollow"]]',NULL);
INSERT INTO "records" VALUES(3,1,1412450493621984068,'http://library.example/scroll/5','Scroll 5','Scroll 5 falcon hollow scroll 5, found near beetle','http://library.example/scroll/5',10,16,1735068619.368,1735068619.368,1,24,'falcon hollow scroll 5, found near beetle','[["title", "Scroll 5"], ["text", "falcon hollow scroll 5, found near beetle"]]',NULL);
INSERT INTO "records" VALUES(4,1,3051019918644819089,'http://library.example/scroll/9','Scroll 9','Scroll 9 beetle dragon scroll 9, found near falcon','http://library.example/scroll/9',10,16,1735068619.368,1735068619.368,1,25,'beetle dragon scroll 9, found near falcon','[["title", "Scroll 9"], ["text", "beetle dragon scroll 9, found near falcon"]]',NULL);
INSERT INTO "records" VALUES(5,1,8843130961489312467,'http://library.example/scroll/11','Scroll 11','Scroll 11 dragon beetle scroll 11, found near hollow','http://library.example/scroll/11',10,16,1735068619.368,1735068619.368,1,26,'dragon beetle scroll 11, found near hollow','[["title", "Scroll 11"], ["text", "dragon beetle scroll 11, found near hollow"]]',NULL);
INSERT INTO "records" VALUES(6,1,2263590854336392789,'http://library.example/scroll/13','Scroll 13','Scroll 13 falcon hollow scroll 13, found near beetle','http://library.example/scroll/13',10,16,1735068619.368,1735068619.368,1,27,NULL,'[["title", "Scroll 13"], ["text", "falcon hollow scroll 13, found near beetle"]]',NULL);
INSERT INTO "records" VALUES(7,1,2559896614585252354,'http://library.example/scroll/17','Scroll 17','Scroll 17 beetle dragon scroll 17, found near falcon','http://library.example/scroll/17',10,16,1735068619.368,1735068619.368,1,28,NULL,'[["title", "Scroll 17"], ["text", "beetle dragon scroll 17, found near falcon"]]',NULL);
INSERT INTO "records" VALUES(8,1,918386268748703051,'http://library.example/scroll/19','Scroll 19','Scroll 19 dragon beetle scroll 19, found near hollow','http://library.example/scroll/19',10,16,1735068619.368,1735068619.368,1,29,NULL,'[["title", "Scroll 19"], ["text", "dragon beetle scroll 19, found near hollow"]]',NULL);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    command TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started REAL NOT NULL,
    ended REAL,
    reason TEXT
);
INSERT INTO "runs" VALUES(1,'explore',30389,1735068539.931,1735068542.37,'finished');
INSERT INTO "runs" VALUES(2,'revisit',30938,1735068572.139,1735068611.995,'killed');
INSERT INTO "runs" VALUES(3,'harvest',31810,1735068611.995,NULL,NULL);
CREATE TABLE shown (
    record INTEGER NOT NULL,
    submission INTEGER NOT NULL,
    missing REAL,                    -- when a look first did not find it in this answer; NULL while it is there
    proof INTEGER NOT NULL DEFAULT 0, -- that look saw the whole answer: it was not pushed behind what is read
    PRIMARY KEY (record, submission)
) WITHOUT ROWID;
INSERT INTO "shown" VALUES(1,10,NULL,0);
INSERT INTO "shown" VALUES(2,10,NULL,0);
INSERT INTO "shown" VALUES(3,10,NULL,0);
INSERT INTO "shown" VALUES(4,10,NULL,0);
INSERT INTO "shown" VALUES(5,10,NULL,0);
INSERT INTO "shown" VALUES(6,10,NULL,0);
INSERT INTO "shown" VALUES(7,10,NULL,0);
INSERT INTO "shown" VALUES(8,10,NULL,0);
CREATE TABLE site_links (
    topic TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    page TEXT NOT NULL,
    PRIMARY KEY (topic, source, target)
) WITHOUT ROWID;
CREATE TABLE sitemap_dates (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    sitemap INTEGER NOT NULL REFERENCES sitemaps (id),
    modified REAL NOT NULL              -- at the latest: a day is its last moment
);
CREATE TABLE sitemaps (
    id INTEGER PRIMARY KEY,
    host INTEGER NOT NULL REFERENCES hosts (id),
    url TEXT NOT NULL,
    asked REAL NOT NULL,                -- when it was last asked for
    read REAL,                          -- when it was last read
    parts TEXT NOT NULL DEFAULT '[]',   -- JSON: further sitemaps that it names
    why TEXT NOT NULL DEFAULT '',       -- why it was not read when it was asked for, or not to its end
    UNIQUE (host, url)
);
CREATE TABLE sites (
    id INTEGER PRIMARY KEY,
    domain TEXT NOT NULL UNIQUE,
    seed TEXT NOT NULL,
    via INTEGER,                            -- the site whose seed redirected here
    pages INTEGER NOT NULL DEFAULT 0,       -- pages read, answers included
    nothing_new INTEGER NOT NULL DEFAULT 0, -- pages in a row that links led to and that were known already
    left TEXT,                              -- why it is not explored now; NULL while it is
    explored INTEGER NOT NULL DEFAULT 0,    -- of the pages, those that links led to
    record_pages INTEGER NOT NULL DEFAULT 0 -- of the pages, own pages of records
);
INSERT INTO "sites" VALUES(1,'library.example','http://library.example/',NULL,21,0,NULL,6,5);
CREATE TABLE sketches (
    page INTEGER PRIMARY KEY,
    sketch BLOB NOT NULL
);
INSERT INTO "sketches" VALUES(1,X'A62D2C00FE30C7133BB7150791B871318932433DED216E25E484790D3BB7150791B87131D1CBBC0991B871313BB71507FE30C713E484790DE674403B1DC7860F1DC7860F3BB71507A62D2C00FE30C7133948B72A3948B72AFA18D51E3948B72A8932433D878D351DF840A03F2B468D208932433D878D351DFA18D51EED216E252B468D20F840A03FE484790DE674403B8932433DED216E252B468D202B468D208932433DFE30C7133948B72AA62D2C00F840A03FFE30C713E674403B8932433D91B8713191B87131A62D2C0091B87131E674403B2B468D20E674403BED216E25FA18D51ED1CBBC093948B72AE674403B2B468D208932433D1DC7860FF840A03F');
INSERT INTO "sketches" VALUES(2,X'3DDBBF3CB8E9A013EE07AD2E6D7A981AA1415A3D49EA960559DDF711A25EB409BC547E26A25EB4093DDBBF3CBC547E260D368E0CD5119D38DD3ADA3B5EB38E3E7486281059DDF7116D7A981AB8E9A01379CA9F283817DD153817DD151AA90A1749EA96055EB38E3E6D7A981A6D7A981A3DDBBF3CDE9ECC1D3817DD1579CA9F28D5119D38C795C82DD467F922DD3ADA3BA1415A3DB8E9A013BC547E263817DD1579CA9F28B8E9A0133817DD15F1F5952BD467F922C795C82DEE07AD2E79CA9F2849EA96051AA90A178178F83F5EB38E3E1AA90A17BC547E266D7A981AD5119D38D5119D38D5119D38D5119D38DD3ADA3B3DDBBF3CA1415A3D5EB38E3E8178F83F');
INSERT INTO "sketches" VALUES(3,X'3DDBBF3C726DD534B5DDEA0809A9D21A785E5D3D43A2EE140524B02D24A45713B5DDEA087A86D60F7557573111C97624AB8ACC0C3817DD1535AE700E7A86D60F7A86D60F46887C3209A9D21A24A4571343A2EE143817DD153817DD157A86D60F526221185EB38E3E09A9D21AA11F771B3DDBBF3C59FE8A2F75575731DC514B2559FE8A2F35AE700E2C65DD232C65DD2311C97624DC514B25A11F771B43A2EE14785E5D3D24A457133817DD15B5DDEA084373292C0524B02D2C65DD2359FE8A2F755757317557573146887C325EB38E3E726DD534292ACC3509A9D21ADC514B25785E5D3D292ACC355EB38E3E526221183DDBBF3C785E5D3D5EB38E3EB99B9A3F');
INSERT INTO "sketches" VALUES(4,X'840EB300D146E1219F3F1E02813B433E840EB30028729205F5318F11D146E121A57BF808D146E1213DDBBF3CD146E121F5318F11CC749C0D844F1F0F844F1F0F844F1F0FF5318F11840EB3003DDBBF3CE010A02AE010A02ADC543F16E010A02A287292050BF18219D146E1219F3F1E023DDBBF3CB6449B2F3DDBBF3CDC543F16B6449B2FD146E1212C65DD232C65DD23840EB300A57BF808B6449B2FDC543F16840EB300844F1F0FE010A02AA57BF8089F3F1E02A6EB762DEE07AD2EB6449B2F2EEAB939DC543F16840EB300813B433ECC749C0D2EEAB939DC543F16A6EB762DDC543F162EEAB939813B433E2C65DD233DDBBF3CD146E121813B433E2EEAB939');
INSERT INTO "sketches" VALUES(5,X'3DDBBF3C931E5821931E5821B871211A0AC9D42349EA96050C05E9060C05E906931E5821931E5821A595993136A5C11F97F7000CB2312C0DB4C1820FB4C1820F128A731059DDF711B871211A3DDBBF3C265A8D2AE4074215E4074215265A8D2A49EA9605813B433EB871211AB871211A0C05E906931E5821FB1FB91E36A5C11F59DDF711931E58210AC9D4230AC9D42336A5C11F83DAC8254E13652636A5C11F6BE6B12DB4C1820F265A8D2A96B6BF374E1365266BE6B12DEE07AD2E96B6BF3736A5C11FA5959931B2312C0D813B433EFB1FB91E4E136526B871211A96B6BF37FB1FB91E6BE6B12D813B433E128A73103DDBBF3C931E5821813B433E59DDF711');
INSERT INTO "sketches" VALUES(6,X'88C89800F8F960013DDBBF3C3DDBBF3C6B5115043DDBBF3C66C7BC1162D34C25FD770826FE93120F3DDBBF3CFD77082626771D3379511015F557893BFE93120F30EF9C1066C7BC1188C89800F8F96001FE93120F79511015795110156B511504B408623D3DDBBF3C3DDBBF3CCED6C3204B68191CA084DB297951101562D34C25CED6C3204B68191C2BDFB5226B102423B408623D62D34C25FD770826CED6C320B408623DA084DB2979511015CFF68637A084DB294B68191C6B102423CFF686374B68191C30EF9C1088C8980026771D3356A26E34CED6C320F557893BCFF68637B408623D66C7BC11CFF68637F557893B3DDBBF3CB408623D6B511504F557893B');
INSERT INTO "sketches" VALUES(17,X'2A2A181DF803C72496CFFA07318C4935318C49352A2A181D318C493596CFFA07318C49352A2A181D318C493596CFFA072A2A181D318C4935F803C724318C493596CFFA0796CFFA07318C4935F803C724318C4935318C4935F803C7242A2A181D2A2A181DF803C724318C493596CFFA07F803C7242A2A181D318C49352A2A181D2A2A181DF803C72496CFFA0796CFFA07F803C724318C4935318C4935F803C7242A2A181D96CFFA07F803C724F803C724F803C7242A2A181DF803C72496CFFA0796CFFA0796CFFA0796CFFA0796CFFA07318C4935318C4935F803C72496CFFA07F803C724318C4935318C4935F803C724318C493596CFFA07318C4935F803C724');
INSERT INTO "sketches" VALUES(18,X'049BE72559A25113611DCA2E59A25113049BE725049BE7257533831159A25113611DCA2E7533831175338311049BE7257533831159A25113611DCA2EC2C4131859A251137533831159A2511359A25113049BE72559A25113049BE725049BE725C2C41318611DCA2EC2C41318611DCA2EC2C41318C2C41318611DCA2E049BE72575338311049BE72575338311611DCA2E59A25113049BE72575338311049BE72559A2511359A25113611DCA2E049BE7257533831159A25113611DCA2E611DCA2E611DCA2E59A25113611DCA2E049BE72575338311049BE725611DCA2E049BE725C2C413187533831175338311C2C413187533831159A25113611DCA2E75338311');
INSERT INTO "sketches" VALUES(19,X'CBB53E2ACBB53E2A495AC716AC7EE812CEC22036CBB53E2AAC7EE812CEC22036CEC22036CBB53E2A495AC716CBB53E2AAC7EE812AC7EE812CBB53E2ACEC22036CEC22036495AC716AC7EE812AF8E9439CBB53E2ACBB53E2A495AC716CBB53E2ACEC22036AC7EE812CEC22036CBB53E2ACBB53E2AAF8E9439495AC716495AC716AF8E9439AC7EE812CEC22036CBB53E2ACBB53E2ACEC22036CBB53E2A495AC716495AC716CBB53E2ACBB53E2AAC7EE812CBB53E2AAF8E9439CEC22036AF8E9439AF8E9439495AC716495AC716AC7EE812495AC716AF8E9439CEC22036AC7EE812495AC716AF8E9439CBB53E2ACBB53E2AAC7EE812495AC716495AC716AF8E9439');
INSERT INTO "sketches" VALUES(20,X'6157881DF7BB812AD0A45D18F803C724524F4B05524F4B05524F4B05D0A45D18524F4B05F7BB812AF7BB812AF7BB812AD0A45D186157881DF7BB812A524F4B05524F4B05D0A45D18D0A45D18D0A45D18F7BB812AF7BB812AF803C724F7BB812AD0A45D18F803C724D0A45D18F7BB812AF7BB812A6157881DD0A45D186157881DD0A45D18F803C724D0A45D18524F4B05F803C724524F4B05D0A45D18F803C7246157881DF7BB812AF7BB812AF803C724524F4B05F7BB812AF803C724D0A45D18524F4B05F7BB812AF7BB812A6157881D6157881DF7BB812AF803C724F7BB812AD0A45D186157881DF7BB812AD0A45D18F7BB812AF803C724524F4B05F803C724');
INSERT INTO "sketches" VALUES(21,X'E9CC143A59A25113611DCA2E59A251132E4EAA26611DCA2E59A2511359A251132E4EAA262E4EAA262E4EAA262E4EAA2659A25113E9CC143AE9CC143A59A2511326C68F1726C68F1759A2511359A25113E9CC143A59A25113E9CC143A26C68F1759A2511326C68F1759A25113611DCA2E26C68F1759A25113611DCA2EE9CC143A59A251132E4EAA2626C68F172E4EAA2659A2511359A251132E4EAA26E9CC143A59A2511359A25113611DCA2E26C68F172E4EAA2659A25113611DCA2E611DCA2EE9CC143A26C68F17611DCA2EE9CC143A26C68F172E4EAA26E9CC143A611DCA2E59A2511326C68F17E9CC143AE9CC143AE9CC143A59A2511326C68F1726C68F17');
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,               -- of its site, which may not have been crawled yet
    made_by TEXT NOT NULL,              -- person, or crawl
    form INTEGER,                       -- of a source that a crawl made: the form whose answers, or records, it is about
    state TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',       -- why it is in its state, for people
    added REAL NOT NULL,
    region TEXT NOT NULL,               -- JSON: what was shown, and on which page
    source TEXT NOT NULL DEFAULT '',    -- JSON: what was learnt; empty while its page is waited for
    pages TEXT NOT NULL DEFAULT ''      -- JSON: the last pages that the watch saw, and what it remembers of them
);
INSERT INTO "sources" VALUES(1,'books','library.example','person',NULL,'learning','',1735068552.028,'{"site": "library.example", "text": "", "attributes": [["title", ["The Mountain of Bird 1"]], ["author", ["John Doe"]], ["price", ["21.25"]], ["isbn", ["9780000000001"]]], "page": "http://library.example/book/1", "name": "books", "kind": "page"}','{"version": 1, "region": {"site": "library.example", "text": "", "attributes": [["title", ["The Mountain of Bird 1"]], ["author", ["John Doe"]], ["price", ["21.25"]], ["isbn", ["9780000000001"]]], "page": "http://library.example/book/1", "name": "books", "kind": null}, "kind": "page", "pattern": "{\"version\": 1, \"site\": \"library.example\", \"features\": [\"exact path\", \"class path\", \"tag path\", \"last step\", \"last two steps\", \"last three steps\", \"below id\", \"position\", \"link\", \"left cell\", \"head of column\", \"label inside\", \"type\", \"shape\", \"length\", \"heading\", \"text before\", \"text after\", \"label\", \"label and distance\", \"label and step\", \"firm label\", \"firm label and distance\", \"firm label after\", \"is a label\", \"is a part\"], \"labels\": \"wDT4AlKX1RWn44IZBc8EVKvQGFR5KTWGt/qKk3xvw6PMIe2oWuTqrQ==\", \"firm_labels\": \"wDT4AlKX1RWn44IZBc8EVKvQGFR5KTWGt/qKk3xvw6PMIe2o\", \"slots\": [{\"attribute\": \"title\", \"group\": 0, \"values\": \"XN7zDmMrjRk8KAWTJCgT+8BrLKQHXsoLUj7XcWeCtEdFB/0RxiPpWNqu+o0bBPnZPCgFkyQoE/sAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAYougAhUFQViumk3wHPCf+gUAAAAAAAAAAAAAAAAAAABjTLghzCHtqMBMW+e3+oqTY0y4Icwh7agfOLw6ytEdv3F2k6wxVNIGY0y4Icwh7agfOLw6ytEdv8BMW+e3+oqTAQAAAAAAAAABAAAAAAAAAA==\", \"agree\": [2.561, 2.601, 2.612, 2.619, 2.619, 2.619, 2.619, -0.01, 0.054, 0.134, 0.108, -0.01, 1.421, 1.333, 1.378, 0.163, 2.581, 2.541, 1.514, 2.601, 2.612, 1.52, 2.601, 1.908, 1.389, 0.108], \"differ\": [-2.516, -3.209, -3.566, -3.838, -3.838, -3.838, -3.838, 0.693, -1.273, -1.966, -1.155, 0.693, -1.944, -1.433, -1.656, -1.05, -2.804, -2.293, -3.399, -3.209, -3.566, -3.671, -3.209, -3.129, -3.362, -2.546], \"threshold\": -5.224, \"cut\": {\"before\": \"\", \"value\": \"\", \"after\": \"\", \"separators\": []}, \"is_list\": false, \"floor\": 14.707, \"lead\": 20.0}, {\"attribute\": \"author\", \"group\": 0, \"values\": \"gMuD009Z3HDv70rZa6zFPTUDDDtSM8ieS2sdXOGBa+8/WwzQ+QbpGfiHa3p/MUXN7+9K2WusxT0AAAAAAAAAABGd/24CumMfAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMt+H4VlrpAQhDNtgRSmhTwQAAAAAAAAAAAAAAAAAAADATFvnt/qKk3CEoFVSl9UVwExb57f6ipPASyqjXQdIdgu3R/8+ibNlwExb57f6ipPASyqjXQdIdnCEoFVSl9UVAgAAAAAAAAABAAAAAAAAAA==\", \"agree\": [2.561, 2.601, 2.612, 2.619, 2.619, 2.619, 2.619, -0.01, 2.619, 0.134, 0.108, -0.01, 2.52, 2.431, 1.378, 0.163, 2.581, 1.847, 2.276, 2.601, 2.612, 1.926, 2.601, 1.502, 0.054, 0.108], \"differ\": [-2.516, -3.209, -3.566, -3.838, -3.838, -3.838, -3.838, 0.693, -3.838, -1.966, -1.155, 0.693, -2.111, -1.6, -1.656, -1.05, -2.804, -2.213, -3.535, -3.209, -3.566, -3.758, -3.209, -3.042, -0.129, -2.546], \"threshold\": -3.885, \"cut\": {\"before\": \"\", \"value\": \"\", \"after\": \"\", \"separators\": []}, \"is_list\": false, \"floor\": 15.912, \"lead\": 20.0}, {\"attribute\": \"price\", \"group\": 0, \"values\": \"p6oG6BB5Jef4deQTVeV8YGp2nq9+gjqkjPsSPVUzm/eQ+9EYRWaYmamYaeV24Fz3+HXkE1XlfGAAAAAAAAAAAAAAAAAAAAAAcISgVVKX1RUAAAAAAAAAAAAAAAAAAAAAPNkjg7iUj0UPezQfDhOpUgMAAAAAAAAAAAAAAAAAAABwhKBVUpfVFaRrVgcFzwRUcISgVVKX1RUwHbGeRFLBKbwYxNuZhVwhcISgVVKX1RUwHbGeRFLBKaRrVgcFzwRUAgAAAAAAAAABAAAAAAAAAA==\", \"agree\": [2.561, 2.601, 1.919, 2.619, 2.619, 2.619, 2.619, -0.01, 0.054, 2.619, 0.108, -0.01, 2.52, 2.431, 0.531, 0.163, 2.581, 2.541, 2.612, 2.601, 2.612, 2.619, 2.601, 2.601, 0.351, 0.108], \"differ\": [-2.516, -3.209, -3.486, -3.838, -3.838, -3.838, -3.838, 0.693, -1.273, -3.838, -1.155, 0.693, -2.111, -1.6, -1.204, -1.05, -2.804, -2.293, -3.566, -3.209, -3.566, -3.838, -3.209, -3.209, -2.483, -2.546], \"threshold\": -1.833, \"cut\": {\"before\": \"\", \"value\": \"\", \"after\": \"\", \"separators\": []}, \"is_list\": false, \"floor\": 16.455, \"lead\": 20.0}, {\"attribute\": \"isbn\", \"group\": 0, \"values\": \"MrELUoc23Q8iIt2FeVb/4Wp2nq9+gjqktqcLr3mkHXmm1O7lrhlkSFPi57tGmgciIiLdhXlW/+EAAAAAAAAAAAAAAAAAAAAApGtWBwXPBFR+ev4zfG/DowAAAAAAAAAApGtWBwXPBFRoshJoBjo1KAQAAAAAAAAAAAAAAAAAAACka1YHBc8EVFENxwV5KTWGpGtWBwXPBFR0RKLv3LZTDSrsrZ5WW3GGpGtWBwXPBFR0RKLv3LZTDVENxwV5KTWGAgAAAAAAAAABAAAAAAAAAA==\", \"agree\": [2.561, 2.601, 1.919, 2.619, 2.619, 2.619, 2.619, -0.01, 0.054, 2.619, 2.593, -0.01, 2.52, 2.431, 1.378, 0.163, 2.581, 2.541, 2.612, 2.601, 2.612, 2.619, 2.601, 2.601, 0.351, 0.108], \"differ\": [-2.516, -3.209, -3.486, -3.838, -3.838, -3.838, -3.838, 0.693, -1.273, -3.838, -3.027, 0.693, -2.111, -1.6, -1.656, -1.05, -2.804, -2.293, -3.566, -3.209, -3.566, -3.838, -3.209, -3.209, -2.483, -2.546], \"threshold\": -3.305, \"cut\": {\"before\": \"\", \"value\": \"\", \"after\": \"\", \"separators\": []}, \"is_list\": false, \"floor\": 17.621, \"lead\": 20.0}]}", "addresses": [["library.example", ["book", "*"], ""]], "usual": ["author", "isbn", "price", "title"], "types": {"title": "text", "author": "text", "price": "number", "isbn": "number"}, "written": {"title": ["", ""], "author": ["", ""], "price": [".", ""], "isbn": ["", ""]}, "is_pure": true, "learnt_from": 5, "repairs": 0, "watch": null}','');
CREATE TABLE spent (
    minute INTEGER PRIMARY KEY,
    requests INTEGER NOT NULL
);
INSERT INTO "spent" VALUES(29917809,2);
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY,
    form INTEGER NOT NULL REFERENCES forms (id),
    keyword TEXT NOT NULL,
    filled TEXT NOT NULL, -- JSON
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    body BLOB NOT NULL,
    content_type TEXT NOT NULL,
    state TEXT NOT NULL,
    planned REAL NOT NULL,
    sent REAL,
    answered REAL,
    outcome TEXT NOT NULL DEFAULT '', -- one of the cases of an answer
    why TEXT NOT NULL DEFAULT '',
    total INTEGER,                    -- as the site says
    pages INTEGER NOT NULL DEFAULT 0,
    new_records INTEGER NOT NULL DEFAULT 0,
    seen_records INTEGER NOT NULL DEFAULT 0,
    next_url TEXT,                    -- the page at which reading was left, if it can be gone on with
    next_page INTEGER,                -- its number
    reason TEXT NOT NULL DEFAULT '',  -- why it was asked, for people
    UNIQUE (form, keyword, filled)
);
INSERT INTO "submissions" VALUES(1,1,'book','[["q", "book"]]','GET','http://library.example/stones?q=book',X'','','answered',1735068616.517,NULL,1735068617.255,'nothing_found','it says ''No results''',NULL,1,0,0,NULL,NULL,'''book'' is a word of its page, or of a list');
INSERT INTO "submissions" VALUES(2,1,'library','[["q", "library"]]','GET','http://library.example/stones?q=library',X'','','answered',1735068617.3,NULL,1735068617.5,'nothing_found','it says ''No results''',NULL,1,0,0,NULL,NULL,'''library'' is a word of its page, or of a list');
INSERT INTO "submissions" VALUES(3,1,'new','[["q", "new"]]','GET','http://library.example/stones?q=new',X'','','answered',1735068617.515,NULL,1735068617.692,'nothing_found','it says ''No results''',NULL,1,0,0,NULL,NULL,'''new'' is a word of its page, or of a list');
INSERT INTO "submissions" VALUES(4,2,'book','[["w", "book"]]','POST','http://library.example/scrolls',X'773D626F6F6B','application/x-www-form-urlencoded','answered',1735068617.788,1735068617.79,1735068617.996,'nothing_found','it says ''No results''',NULL,1,0,0,NULL,NULL,'''book'' is a word of its page, or of a list');
INSERT INTO "submissions" VALUES(5,2,'library','[["w", "library"]]','POST','http://library.example/scrolls',X'773D6C696272617279','application/x-www-form-urlencoded','answered',1735068617.999,1735068618.013,1735068618.196,'nothing_found','it says ''No results''',NULL,1,0,0,NULL,NULL,'''library'' is a word of its page, or of a list');
INSERT INTO "submissions" VALUES(6,2,'new','[["w", "new"]]','POST','http://library.example/scrolls',X'773D6E6577','application/x-www-form-urlencoded','answered',1735068618.199,1735068618.237,1735068618.621,'nothing_found','it says ''No results''',NULL,1,0,0,NULL,NULL,'''new'' is a word of its page, or of a list');
INSERT INTO "submissions" VALUES(7,2,'','[["w", ""]]','POST','http://library.example/scrolls',X'773D','application/x-www-form-urlencoded','answered',1735068618.628,1735068618.63,1735068618.82,'nothing_found','it says ''No results''',NULL,1,0,0,NULL,NULL,'it may list everything there is');
INSERT INTO "submissions" VALUES(8,2,'*','[["w", "*"]]','POST','http://library.example/scrolls',X'773D2A','application/x-www-form-urlencoded','answered',1735068618.823,1735068618.833,1735068619.016,'nothing_found','it says ''No results''',NULL,1,0,0,NULL,NULL,'it may list everything there is');
INSERT INTO "submissions" VALUES(9,2,'the','[["w", "the"]]','POST','http://library.example/scrolls',X'773D746865','application/x-www-form-urlencoded','answered',1735068619.02,1735068619.021,1735068619.186,'nothing_found','it says ''No results''',NULL,1,0,0,NULL,NULL,'it may list everything there is');
INSERT INTO "submissions" VALUES(10,2,'beetle','[["w", "beetle"]]','POST','http://library.example/scrolls',X'773D626565746C65','application/x-www-form-urlencoded','answered',1735068619.196,1735068619.198,1735068619.368,'all','8 records',8,1,8,0,NULL,NULL,'''beetle'' is a word of its page, or of a list');
INSERT INTO "submissions" VALUES(11,2,'xqzzzbdvt','[["w", "xqzzzbdvt"]]','POST','http://library.example/scrolls',X'773D78717A7A7A62647674','application/x-www-form-urlencoded','sent',1735068619.398,1735068620.228,NULL,'','',NULL,0,0,0,NULL,NULL,'in doubt: 5 answers, and none to a word that does not exist');
CREATE TABLE template_events (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    at REAL NOT NULL,
    kind TEXT NOT NULL,                 -- learnt, alarm, repaired, proposed, accepted, put_off
    told TEXT NOT NULL,                 -- in a sentence
    detail TEXT NOT NULL DEFAULT '{}'   -- JSON: alarm, both bar-trees, proof, and what is proposed
);
INSERT INTO "template_events" VALUES(1,1,1735068552.028,'learnt','title, author, price, isbn of a record, learnt from 5 pages','{}');
CREATE TABLE versions (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    at REAL NOT NULL,
    fingerprint INTEGER NOT NULL,
    content INTEGER NOT NULL REFERENCES contents (id),
    content_type TEXT NOT NULL DEFAULT '', -- as the server said: often the only word about the charset
    title TEXT NOT NULL DEFAULT ''
);
INSERT INTO "versions" VALUES(1,1,1735068540.184,9102094907302784913,1,'text/html; charset=utf-8','The library');
INSERT INTO "versions" VALUES(2,2,1735068542.18,-1656690477777192605,2,'text/html; charset=utf-8','The Mountain of Bird 1 - Shop');
INSERT INTO "versions" VALUES(3,3,1735068542.208,-1002084062965300676,3,'text/html; charset=utf-8','The River of Sea 2 - Shop');
INSERT INTO "versions" VALUES(4,4,1735068542.226,5727776227611760596,4,'text/html; charset=utf-8','The House of Bird 3 - Shop');
INSERT INTO "versions" VALUES(5,5,1735068542.247,-2684508475020904407,5,'text/html; charset=utf-8','The House of Night 4 - Shop');
INSERT INTO "versions" VALUES(6,6,1735068542.28,6401535126234219251,6,'text/html; charset=utf-8','The Bird of Night 5 - Shop');
INSERT INTO "versions" VALUES(7,7,1735068617.255,-5099549625751006646,7,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(8,8,1735068617.5,-5099549625751006646,7,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(9,9,1735068617.692,-5099549625751006646,7,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(10,10,1735068617.996,-5099549625751006646,7,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(11,11,1735068618.196,-5099549625751006646,7,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(12,12,1735068618.621,-5099549625751006646,7,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(13,13,1735068618.82,-5099549625751006646,7,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(14,14,1735068619.016,-5099549625751006646,7,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(15,15,1735068619.186,-5099549625751006646,7,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(16,16,1735068619.368,8158614966908017847,8,'text/html; charset=utf-8','Found');
INSERT INTO "versions" VALUES(17,17,1735068619.576,7531290149473701990,9,'text/html; charset=utf-8','Scroll');
INSERT INTO "versions" VALUES(18,18,1735068619.736,5457038852473662835,10,'text/html; charset=utf-8','Scroll');
INSERT INTO "versions" VALUES(19,19,1735068619.889,-5630107867157750180,11,'text/html; charset=utf-8','Scroll');
INSERT INTO "versions" VALUES(20,20,1735068620.046,-5836037295500792564,12,'text/html; charset=utf-8','Scroll');
INSERT INTO "versions" VALUES(21,21,1735068620.202,-5777555470191168874,13,'text/html; charset=utf-8','Scroll');
CREATE INDEX sites_via ON sites (via) WHERE via IS NOT NULL;
CREATE UNIQUE INDEX links_by_hash ON links (hash);
CREATE INDEX links_of_host ON links (host);
CREATE INDEX links_pending ON links (host, bucket, id) WHERE state = 0;
CREATE INDEX links_of_submission ON links (submission) WHERE submission IS NOT NULL;
CREATE INDEX links_leased ON links (id) WHERE state = 1;
CREATE INDEX pages_by_fingerprint ON pages (fingerprint);
CREATE INDEX versions_of_page ON versions (page, id);
CREATE INDEX versions_of_content ON versions (content);
CREATE INDEX records_of_submission ON records (submission);
CREATE INDEX records_by_link ON records (link) WHERE link IS NOT NULL;
CREATE INDEX shown_in_answer ON shown (submission);
CREATE INDEX candidates_by_rank ON candidates (topic, queue, rank DESC, key);
CREATE INDEX site_links_to ON site_links (target);
CREATE INDEX due_of_host ON due (host, leased, not_before);
CREATE INDEX dates_of_sitemap ON sitemap_dates (sitemap);
CREATE INDEX changes_by_time ON changes (at);
CREATE INDEX changes_of_site ON changes (site, at);
CREATE INDEX changes_of_record ON changes (record) WHERE record IS NOT NULL;
CREATE INDEX sources_of_domain ON sources (domain);
CREATE INDEX extracted_of_page ON extracted (page, source, place);
CREATE INDEX extracted_of_source ON extracted (source, id);
CREATE INDEX events_of_source ON template_events (source, id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('outbox',24);
COMMIT;
PRAGMA application_id = 1752655202;
PRAGMA user_version = 10;
