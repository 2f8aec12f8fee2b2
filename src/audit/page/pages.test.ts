import { describe, expect, it } from 'vitest'
import { element, toHtml } from './markup.ts'
import { paged, type Rest } from './pages.ts'

const items = Array.from({ length: 7 }, (_, index) => element('li', {}, index))

describe('a list in pages', () => {
  it('has its first page, and leaves the others to the script', () => {
    const rest: Rest = new Map([['rest-0', []]])
    const html = toHtml(paged({ noun: 'Turns', items, size: 3, name: 'turns' }, rest))
    expect(html).toContain('<ol class="items turns"><li>0</li><li>1</li><li>2</li></ol>')
    expect(html).toContain('data-rest="rest-1" data-size="3" data-total="7"')
    expect(html).toContain('Turns 1 to 3 of 7. The others need the script of this page.')
    expect(rest.get('rest-1')).toEqual(items.slice(3))
  })

  it('is a list where one page is enough', () => {
    const rest: Rest = new Map()
    expect(toHtml(paged({ noun: 'Turns', items, size: 7, name: 'turns' }, rest))).toMatch(/^<ol .*<\/ol>$/)
    expect(rest.size).toBe(0)
  })
})
