/** Who shops in the demo. The people and their companies are made up; the same list serves every seed. */

export interface Shopper {
  readonly userId: string;
  readonly name: string;
  readonly locale: string;
  readonly country: string;
  readonly city: string;
  readonly plan: 'free' | 'plus' | 'business';
  /** Index into {@link COMPANIES}; null for a private customer. */
  readonly company: number | null;
}

export interface Company {
  readonly groupId: string;
  readonly name: string;
  readonly industry: string;
  readonly employees: number;
}

export const COMPANIES: readonly Company[] = [
  { groupId: 'org_northwind', name: 'Northwind Ltd', industry: 'Wholesale', employees: 240 },
  { groupId: 'org_acme', name: 'Acme Outlet GmbH', industry: 'Retail', employees: 38 },
  { groupId: 'org_tamarack', name: 'Tamarack Coffee', industry: 'Hospitality', employees: 12 },
];

/** The user whose deletion the demo shows. */
export const DELETED_USER = 'usr_19aa';

type Row = readonly [
  userId: string,
  name: string,
  locale: string,
  country: string,
  city: string,
  plan: Shopper['plan'],
  company?: number,
];

const ROWS: readonly Row[] = [
  ['usr_8f21', 'Clara Hofer', 'de-AT', 'AT', 'Graz', 'plus'],
  ['usr_41c0', 'Théo Marchand', 'fr-FR', 'FR', 'Lyon', 'free'],
  ['usr_7d2e', 'Jonas Weber', 'de-DE', 'DE', 'Kassel', 'business', 1],
  ['usr_5d10', 'Hannah Price', 'en-GB', 'GB', 'Leeds', 'business', 0],
  ['usr_c3f5', 'Tereza Dvořáková', 'cs-CZ', 'CZ', 'Brno', 'plus'],
  ['usr_b812', 'ليلى حداد', 'ar-AE', 'AE', 'Dubai', 'plus'],
  ['usr_2b9d', 'Marco Galli', 'it-IT', 'IT', 'Turin', 'free'],
  ['usr_19aa', 'Nora Lind', 'sv-SE', 'SE', 'Uppsala', 'plus'],
  ['usr_0a77', 'Diego Serrano', 'es-ES', 'ES', 'Sevilla', 'business', 2],
  ['usr_e630', 'Ines Carvalho', 'pt-PT', 'PT', 'Porto', 'free'],
  ['usr_9c44', 'Piotr Zając', 'pl-PL', 'PL', 'Gdynia', 'plus'],
  ['usr_33d8', 'Maeve Byrne', 'en-IE', 'IE', 'Cork', 'free'],
  ['usr_f0b6', 'Lotte Jansen', 'nl-NL', 'NL', 'Utrecht', 'plus'],
  ['usr_a1e9', 'Emil Sørensen', 'da-DK', 'DK', 'Aarhus', 'free'],
  ['usr_6472', 'Yuki Tanaka', 'ja-JP', 'JP', 'Sapporo', 'plus'],
  ['usr_d58c', 'Sofia Rinne', 'fi-FI', 'FI', 'Tampere', 'free'],
  ['usr_1ec3', 'Grace Odhiambo', 'en-KE', 'KE', 'Nairobi', 'business', 0],
  ['usr_b09f', 'Luca Steiner', 'de-CH', 'CH', 'Bern', 'plus'],
  ['usr_74aa', 'Camille Roux', 'fr-BE', 'BE', 'Namur', 'free'],
  ['usr_8e15', 'Noah Fischer', 'de-DE', 'DE', 'Ulm', 'plus'],
];

export const SHOPPERS: readonly Shopper[] = ROWS.map(([userId, name, locale, country, city, plan, company = null]) => ({
  userId,
  name,
  locale,
  country,
  city,
  plan,
  company,
}));

/** Names of people who sign up while the demo runs. */
export const NEWCOMERS: readonly string[] = [
  'Amelie Brandt',
  'Kofi Mensah',
  'Rosa Delgado',
  'Filip Novák',
  'Aisha Rahman',
  'Oscar Nyberg',
  'Giulia Conti',
  'Mateo Vidal',
];

/** `clara.hofer@example.com`: a name without Latin letters becomes the user id. */
export function emailOf(name: string, userId: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/[^a-zA-Z ]/g, '')
    .trim()
    .toLowerCase()
    .replace(/ +/g, '.');
  return `${plain === '' ? userId : plain}@example.com`;
}
