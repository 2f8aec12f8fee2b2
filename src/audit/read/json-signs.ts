/** The signs of JSON, as bytes of UTF-8 and as UTF-16 units alike. */

export const quote = 0x22
export const comma = 0x2c
export const colon = 0x3a
export const openList = 0x5b
export const backslash = 0x5c
export const closeList = 0x5d
export const openObject = 0x7b
export const closeObject = 0x7d
export const lineFeed = 0x0a
