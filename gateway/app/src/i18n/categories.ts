/** The picture of a kind of merchant. */
export type Sign =
  | 'groceries'
  | 'restaurants'
  | 'clothes'
  | 'home'
  | 'electronics'
  | 'books'
  | 'shops'
  | 'transport'
  | 'travel'
  | 'hotels'
  | 'cars'
  | 'fuel'
  | 'health'
  | 'leisure'
  | 'digital'
  | 'utilities'
  | 'cash'
  | 'finance'
  | 'charity'
  | 'authorities'
  | 'services';

/** First and last code, and the kind: its sign, and words for it. Single kinds come before the groups that they belong to. They are no part of the catalogues: only some screens need them. */
type Row = readonly [first: number, last: number, sign: Sign, en: string, de: string, fr: string];

/** Kinds of merchants that people know by name, then the groups of ISO 18245, which cover the rest. */
const ROWS: readonly Row[] = [
  [742, 742, 'health', 'Vets', 'Tierärzte', 'Vétérinaires'],
  [4111, 4111, 'transport', 'Local transport', 'Nahverkehr', 'Transports en commun'],
  [4112, 4112, 'transport', 'Trains', 'Bahn', 'Trains'],
  [4121, 4121, 'cars', 'Taxis', 'Taxis', 'Taxis'],
  [4131, 4131, 'transport', 'Buses', 'Busse', 'Cars et bus'],
  [4214, 4215, 'services', 'Removals and couriers', 'Umzüge und Kuriere', 'Déménagement et coursiers'],
  [4411, 4411, 'travel', 'Cruises', 'Kreuzfahrten', 'Croisières'],
  [4511, 4511, 'travel', 'Airlines', 'Fluggesellschaften', 'Compagnies aériennes'],
  [4722, 4722, 'travel', 'Travel agencies', 'Reisebüros', 'Agences de voyages'],
  [4784, 4784, 'cars', 'Tolls', 'Maut', 'Péages'],
  [4814, 4816, 'digital', 'Phone and internet', 'Telefon und Internet', 'Téléphone et Internet'],
  [4829, 4829, 'finance', 'Money transfers', 'Geldtransfers', 'Transferts d’argent'],
  [4899, 4899, 'leisure', 'Television and streaming', 'Fernsehen und Streaming', 'Télévision et streaming'],
  [4900, 4900, 'utilities', 'Energy and water', 'Energie und Wasser', 'Énergie et eau'],
  [5200, 5261, 'home', 'DIY and garden', 'Baumarkt und Garten', 'Bricolage et jardin'],
  [5311, 5311, 'shops', 'Department stores', 'Kaufhäuser', 'Grands magasins'],
  [5411, 5411, 'groceries', 'Groceries', 'Lebensmittel', 'Supermarchés'],
  [5422, 5499, 'groceries', 'Food shops', 'Lebensmittelläden', 'Commerces alimentaires'],
  [5511, 5533, 'cars', 'Cars and parts', 'Autos und Teile', 'Voitures et pièces'],
  [5541, 5542, 'fuel', 'Fuel', 'Tanken', 'Carburant'],
  [5552, 5552, 'fuel', 'Charging stations', 'Ladestationen', 'Bornes de recharge'],
  [5611, 5699, 'clothes', 'Clothes and shoes', 'Kleidung und Schuhe', 'Vêtements et chaussures'],
  [5712, 5719, 'home', 'Furniture and household', 'Möbel und Haushalt', 'Meubles et maison'],
  [5732, 5734, 'electronics', 'Electronics and music', 'Elektronik und Musik', 'Électronique et musique'],
  [5811, 5812, 'restaurants', 'Restaurants', 'Restaurants', 'Restaurants'],
  [5813, 5813, 'restaurants', 'Bars and nightclubs', 'Bars und Nachtclubs', 'Bars et discothèques'],
  [5814, 5814, 'restaurants', 'Fast food', 'Schnellrestaurants', 'Restauration rapide'],
  [5815, 5815, 'digital', 'Digital books, films and music', 'Digitale Bücher, Filme und Musik', 'Livres, films et musique numériques'],
  [5816, 5816, 'digital', 'Digital games', 'Digitale Spiele', 'Jeux numériques'],
  [5817, 5818, 'digital', 'Apps and software', 'Apps und Software', 'Applications et logiciels'],
  [5912, 5912, 'health', 'Pharmacies', 'Apotheken', 'Pharmacies'],
  [5921, 5921, 'groceries', 'Wine and spirits', 'Wein und Spirituosen', 'Vins et spiritueux'],
  [5933, 5933, 'finance', 'Pawn shops', 'Pfandleihhäuser', 'Prêteurs sur gages'],
  [5941, 5941, 'leisure', 'Sports goods', 'Sportartikel', 'Articles de sport'],
  [5942, 5942, 'books', 'Bookshops', 'Buchhandlungen', 'Librairies'],
  [5944, 5944, 'shops', 'Jewellery and watches', 'Schmuck und Uhren', 'Bijoux et montres'],
  [5945, 5945, 'leisure', 'Toys and games', 'Spielwaren', 'Jouets et jeux'],
  [5967, 5967, 'digital', 'Adult and phone services', 'Erotik und Telefondienste', 'Services pour adultes et téléphoniques'],
  [5977, 5977, 'services', 'Cosmetics', 'Kosmetik', 'Cosmétiques'],
  [5992, 5992, 'shops', 'Florists', 'Blumen', 'Fleuristes'],
  [5993, 5993, 'shops', 'Tobacco', 'Tabakwaren', 'Tabac'],
  [5995, 5995, 'shops', 'Pet shops', 'Tierbedarf', 'Animaleries'],
  [6010, 6011, 'cash', 'Cash', 'Bargeld', 'Espèces'],
  [
    6051,
    6051,
    'finance',
    'Cryptocurrencies and vouchers for cash',
    'Kryptowährungen und Bargeldgutscheine',
    'Cryptomonnaies et bons d’espèces',
  ],
  [6211, 6211, 'finance', 'Shares and trading', 'Wertpapiere und Handel', 'Bourse et courtage'],
  [6300, 6300, 'finance', 'Insurance', 'Versicherungen', 'Assurances'],
  [6513, 6513, 'home', 'Rent', 'Miete', 'Loyer'],
  [7011, 7012, 'hotels', 'Hotels and holiday homes', 'Hotels und Ferienwohnungen', 'Hôtels et locations de vacances'],
  [7210, 7217, 'services', 'Laundry and cleaning', 'Wäscherei und Reinigung', 'Blanchisserie et nettoyage'],
  [7230, 7230, 'services', 'Hairdressers and beauty', 'Friseur und Kosmetik', 'Coiffure et beauté'],
  [7273, 7273, 'leisure', 'Dating', 'Partnervermittlung', 'Rencontres'],
  [7512, 7519, 'cars', 'Vehicle hire', 'Fahrzeugvermietung', 'Location de véhicules'],
  [7523, 7523, 'cars', 'Parking', 'Parken', 'Stationnement'],
  [7531, 7549, 'cars', 'Car repairs', 'Autowerkstätten', 'Garages'],
  [7832, 7832, 'leisure', 'Cinemas', 'Kinos', 'Cinémas'],
  [7922, 7922, 'leisure', 'Theatre and concerts', 'Theater und Konzerte', 'Théâtre et concerts'],
  [7991, 7991, 'leisure', 'Museums and sights', 'Museen und Sehenswürdigkeiten', 'Musées et monuments'],
  [7995, 7995, 'leisure', 'Gambling and betting', 'Glücksspiel und Wetten', 'Jeux d’argent et paris'],
  [7997, 7997, 'leisure', 'Clubs and gyms', 'Vereine und Fitnessstudios', 'Clubs et salles de sport'],
  [8011, 8099, 'health', 'Health', 'Gesundheit', 'Santé'],
  [8211, 8299, 'books', 'Education', 'Bildung', 'Formation'],
  [8398, 8398, 'charity', 'Charities', 'Spenden', 'Dons'],
  [9402, 9402, 'authorities', 'Post', 'Post', 'Poste'],
  [1, 1499, 'services', 'Agriculture', 'Landwirtschaft', 'Agriculture'],
  [1500, 2999, 'services', 'Craftsmen and contractors', 'Handwerk und Bau', 'Artisans et bâtiment'],
  [3000, 3299, 'travel', 'Airlines', 'Fluggesellschaften', 'Compagnies aériennes'],
  [3300, 3499, 'cars', 'Vehicle hire', 'Fahrzeugvermietung', 'Location de véhicules'],
  [3500, 3999, 'hotels', 'Hotels', 'Hotels', 'Hôtels'],
  [4000, 4799, 'travel', 'Travel and transport', 'Reise und Verkehr', 'Voyages et transports'],
  [4800, 4999, 'utilities', 'Utilities', 'Versorger', 'Services publics'],
  [5000, 5599, 'shops', 'Shops', 'Läden', 'Magasins'],
  [5600, 5699, 'clothes', 'Clothes and shoes', 'Kleidung und Schuhe', 'Vêtements et chaussures'],
  [5700, 5999, 'shops', 'Shops', 'Läden', 'Magasins'],
  [6000, 6999, 'finance', 'Financial services', 'Finanzdienste', 'Services financiers'],
  [7000, 7299, 'services', 'Personal services', 'Persönliche Dienste', 'Services à la personne'],
  [7300, 7799, 'services', 'Business services', 'Dienste für Unternehmen', 'Services aux entreprises'],
  [7800, 7999, 'leisure', 'Leisure', 'Freizeit', 'Loisirs'],
  [8000, 8999, 'services', 'Professional services', 'Freie Berufe und Verbände', 'Professions libérales et associations'],
  [9000, 9999, 'authorities', 'Authorities', 'Behörden', 'Administrations'],
];

const CODE = /^\d{4}$/;

const rowAt = (code: number): Row | undefined => ROWS.find(([first, last]) => first <= code && code <= last);

const rowOf = (code: string): Row | undefined => (CODE.test(code) ? rowAt(Number(code)) : undefined);

const nameIn = ([, , , en, de, fr]: Row, locale: string): string => (/^de\b/.test(locale) ? de : /^fr\b/.test(locale) ? fr : en);

/**
 * Names a merchant category code (ISO 18245) in the reader's language, for example `5942` `Bookshops`.
 * @param locale BCP 47
 * @returns undefined for what is no such code
 */
export const categoryName = (code: string, locale: string): string | undefined => {
  const row = rowOf(code);
  return row && nameIn(row, locale);
};

/** The sign of the kind of merchants that a code belongs to. @returns undefined for what is no such code */
export const categorySign = (code: string): Sign | undefined => rowOf(code)?.[2];

/** The codes at which another kind of merchant may begin. */
const BORDERS = [...new Set(ROWS.flatMap(([first, last]) => [first, last + 1]))].sort((one, other) => one - other);

/** A kind of merchant: its lowest code, its name, and all codes that have the name as the interface takes them, for example `3000-3299,4511`. */
type Category = { code: string; name: string; codes: string };

/** All kinds of merchants by name in the reader's language. @param locale BCP 47 */
export const categoriesIn = (locale: string): Category[] => {
  const ranges = new Map<string, [first: number, last: number][]>();
  for (const [index, first] of BORDERS.entries()) {
    const row = rowAt(first);
    if (row === undefined) continue;
    const last = (BORDERS[index + 1] ?? first + 1) - 1;
    const ofName = ranges.get(nameIn(row, locale)) ?? [];
    const before = ofName.at(-1);
    if (before?.[1] === first - 1) before[1] = last;
    else ofName.push([first, last]);
    ranges.set(nameIn(row, locale), ofName);
  }
  const four = (code: number): string => String(code).padStart(4, '0');
  const textOf = ([first, last]: [number, number]): string => (first === last ? four(first) : `${four(first)}-${four(last)}`);
  return [...ranges]
    .map(([name, ofName]) => ({ code: four(ofName[0]?.[0] ?? 0), name, codes: ofName.map(textOf).join() }))
    .sort((one, other) => one.name.localeCompare(other.name, locale));
};

/** The kind of merchants that a code belongs to. @returns undefined for what is no such code */
export const categoryOf = (code: string, locale: string): Category | undefined => {
  const name = categoryName(code, locale);
  return categoriesIn(locale).find((one) => one.name === name);
};
