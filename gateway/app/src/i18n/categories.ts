/** Words for a kind of merchant. They lie beside the texts of the screens that show them, because no other screen needs them. */
type Name = Readonly<{ en: string; de: string }>;

/** First and last code, and the kind. Single kinds come before the groups that they belong to. */
type Row = readonly [first: number, last: number, en: string, de: string];

/** Kinds of merchants that people know by name, then the groups of ISO 18245, which cover the rest. */
const ROWS: readonly Row[] = [
  [742, 742, 'Vets', 'Tierärzte'],
  [4111, 4111, 'Local transport', 'Nahverkehr'],
  [4112, 4112, 'Trains', 'Bahn'],
  [4121, 4121, 'Taxis', 'Taxis'],
  [4131, 4131, 'Buses', 'Busse'],
  [4214, 4215, 'Removals and couriers', 'Umzüge und Kuriere'],
  [4411, 4411, 'Cruises', 'Kreuzfahrten'],
  [4511, 4511, 'Airlines', 'Fluggesellschaften'],
  [4722, 4722, 'Travel agencies', 'Reisebüros'],
  [4784, 4784, 'Tolls', 'Maut'],
  [4814, 4816, 'Phone and internet', 'Telefon und Internet'],
  [4829, 4829, 'Money transfers', 'Geldtransfers'],
  [4899, 4899, 'Television and streaming', 'Fernsehen und Streaming'],
  [4900, 4900, 'Energy and water', 'Energie und Wasser'],
  [5200, 5261, 'DIY and garden', 'Baumarkt und Garten'],
  [5311, 5311, 'Department stores', 'Kaufhäuser'],
  [5411, 5411, 'Groceries', 'Lebensmittel'],
  [5422, 5499, 'Food shops', 'Lebensmittelläden'],
  [5511, 5533, 'Cars and parts', 'Autos und Teile'],
  [5541, 5542, 'Fuel', 'Tanken'],
  [5552, 5552, 'Charging stations', 'Ladestationen'],
  [5611, 5699, 'Clothes and shoes', 'Kleidung und Schuhe'],
  [5712, 5719, 'Furniture and household', 'Möbel und Haushalt'],
  [5732, 5734, 'Electronics and music', 'Elektronik und Musik'],
  [5811, 5812, 'Restaurants', 'Restaurants'],
  [5813, 5813, 'Bars and nightclubs', 'Bars und Nachtclubs'],
  [5814, 5814, 'Fast food', 'Schnellrestaurants'],
  [5815, 5815, 'Digital books, films and music', 'Digitale Bücher, Filme und Musik'],
  [5816, 5816, 'Digital games', 'Digitale Spiele'],
  [5817, 5818, 'Apps and software', 'Apps und Software'],
  [5912, 5912, 'Pharmacies', 'Apotheken'],
  [5921, 5921, 'Wine and spirits', 'Wein und Spirituosen'],
  [5933, 5933, 'Pawn shops', 'Pfandleihhäuser'],
  [5941, 5941, 'Sports goods', 'Sportartikel'],
  [5942, 5942, 'Bookshops', 'Buchhandlungen'],
  [5944, 5944, 'Jewellery and watches', 'Schmuck und Uhren'],
  [5945, 5945, 'Toys and games', 'Spielwaren'],
  [5967, 5967, 'Adult and phone services', 'Erotik und Telefondienste'],
  [5977, 5977, 'Cosmetics', 'Kosmetik'],
  [5992, 5992, 'Florists', 'Blumen'],
  [5993, 5993, 'Tobacco', 'Tabakwaren'],
  [5995, 5995, 'Pet shops', 'Tierbedarf'],
  [6010, 6011, 'Cash', 'Bargeld'],
  [6051, 6051, 'Cryptocurrencies and vouchers for cash', 'Kryptowährungen und Bargeldgutscheine'],
  [6211, 6211, 'Shares and trading', 'Wertpapiere und Handel'],
  [6300, 6300, 'Insurance', 'Versicherungen'],
  [6513, 6513, 'Rent', 'Miete'],
  [7011, 7012, 'Hotels and holiday homes', 'Hotels und Ferienwohnungen'],
  [7210, 7217, 'Laundry and cleaning', 'Wäscherei und Reinigung'],
  [7230, 7230, 'Hairdressers and beauty', 'Friseur und Kosmetik'],
  [7273, 7273, 'Dating', 'Partnervermittlung'],
  [7512, 7519, 'Vehicle hire', 'Fahrzeugvermietung'],
  [7523, 7523, 'Parking', 'Parken'],
  [7531, 7549, 'Car repairs', 'Autowerkstätten'],
  [7832, 7832, 'Cinemas', 'Kinos'],
  [7922, 7922, 'Theatre and concerts', 'Theater und Konzerte'],
  [7991, 7991, 'Museums and sights', 'Museen und Sehenswürdigkeiten'],
  [7995, 7995, 'Gambling and betting', 'Glücksspiel und Wetten'],
  [7997, 7997, 'Clubs and gyms', 'Vereine und Fitnessstudios'],
  [8011, 8099, 'Health', 'Gesundheit'],
  [8211, 8299, 'Education', 'Bildung'],
  [8398, 8398, 'Charities', 'Spenden'],
  [9402, 9402, 'Post', 'Post'],
  [1, 1499, 'Agriculture', 'Landwirtschaft'],
  [1500, 2999, 'Craftsmen and contractors', 'Handwerk und Bau'],
  [3000, 3299, 'Airlines', 'Fluggesellschaften'],
  [3300, 3499, 'Vehicle hire', 'Fahrzeugvermietung'],
  [3500, 3999, 'Hotels', 'Hotels'],
  [4000, 4799, 'Travel and transport', 'Reise und Verkehr'],
  [4800, 4999, 'Utilities', 'Versorger'],
  [5000, 5599, 'Shops', 'Läden'],
  [5600, 5699, 'Clothes and shoes', 'Kleidung und Schuhe'],
  [5700, 5999, 'Shops', 'Läden'],
  [6000, 6999, 'Financial services', 'Finanzdienste'],
  [7000, 7299, 'Personal services', 'Persönliche Dienste'],
  [7300, 7799, 'Business services', 'Dienste für Unternehmen'],
  [7800, 7999, 'Leisure', 'Freizeit'],
  [8000, 8999, 'Professional services', 'Freie Berufe und Verbände'],
  [9000, 9999, 'Authorities', 'Behörden'],
];

const CODE = /^\d{4}$/;

const nameOf = (code: string): Name | undefined => {
  if (!CODE.test(code)) return undefined;
  const number = Number(code);
  const row = ROWS.find(([first, last]) => first <= number && number <= last);
  return row === undefined ? undefined : { en: row[2], de: row[3] };
};

/**
 * Names a merchant category code (ISO 18245) in the reader's language, for example `5942` `Bookshops`.
 * @param locale BCP 47
 * @returns undefined for what is no such code
 */
export const categoryName = (code: string, locale: string): string | undefined => nameOf(code)?.[/^de\b/.test(locale) ? 'de' : 'en'];
