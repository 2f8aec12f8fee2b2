/** Numbers in words and in Roman numerals: `twenty-one`, `third`, `iv`. English up to 99, some languages up to 20. */

const cardinals = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  'ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать',
  '〇 一 二 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五 十六 十七 十八 十九 二十',
]
const ordinals = [
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
  'nullte erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte',
  'zéroième premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième',
  'cero primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo',
]
const times = 'never once twice thrice'.split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const tensOrdinals = 'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth'.split(' ')

const values = new Map<string, number>()
for (const list of [...cardinals.map(split), ...ordinals.map(split), times]) {
  for (const [value, word] of list.entries()) if (!values.has(word)) values.set(word, value)
}
for (const [index, word] of tens.entries()) values.set(word, 20 + index * 10)
for (const [index, word] of tensOrdinals.entries()) values.set(word, 20 + index * 10)

function split(list: string): string[] {
  return list.split(' ')
}

/** The number that `text` (a word, or tens and ones) says; undefined for other words. */
export function numberInWords(text: string): number | undefined {
  const word = text.toLowerCase()
  const known = values.get(word)
  if (known !== undefined) return known
  const parts = word.split(/[-\s]+/)
  const [ten, one] = [values.get(parts[0] ?? ''), values.get(parts[1] ?? '')]
  if (parts.length !== 2 || ten === undefined || one === undefined) return undefined
  return ten >= 20 && ten % 10 === 0 && one > 0 && one < 10 ? ten + one : undefined
}

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }

/** The number that `text` is in Roman numerals; undefined for other words. */
export function romanNumber(text: string): number | undefined {
  const word = text.toLowerCase()
  if (!/^m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$/.test(word) || word === '') return undefined
  let sum = 0
  for (let index = 0; index < word.length; index++) {
    const value = romanDigits[word.charAt(index)] ?? 0
    sum += value < (romanDigits[word.charAt(index + 1)] ?? 0) ? -value : value
  }
  return sum
}
