/** Public holidays in mainland China, as the State Council announces them each November for the year to come. */
import type { HolidayCalendar } from './price-table.ts'

/** Days off in 2026, with their weekends. Working weekends are not listed: no window holds on a weekend. */
export const chineseHolidays: HolidayCalendar = {
  name: 'Chinese public holidays',
  years: [2026],
  days: [
    ...days('2026-01', 1, 3),
    ...days('2026-02', 15, 23),
    ...days('2026-04', 4, 6),
    ...days('2026-05', 1, 5),
    ...days('2026-06', 19, 21),
    ...days('2026-09', 25, 27),
    ...days('2026-10', 1, 7),
  ],
  source: 'https://www.gov.cn/zhengce/content/202511/content_7047090.htm',
}

function days(month: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${month}-${String(first + index).padStart(2, '0')}`)
}
