import type { Instructions } from "../catalogue";

const points = (click: string): string => `四个点：${click}对象最高、最低、最左和最右的地方。框会自动形成。`;

export default {
  examples: "示例",
  good: "好",
  bad: "不好",
  keys: "按键",
  key: "键",
  does: "作用",
  names: { Escape: "Esc", Arrows: "方向键", Delete: "Del" },
  meanings: {
    confirm: "在十字线处放一个点。之后：确认框，继续",
    finish: "在十字线处放一个点。之后：保留这个框。再之后：就是这些，继续",
    take: "选中这个框，以便修改",
    none: "说明不需要框，以及原因",
    takeBack: "撤回最后一个点或最后一个框",
    letBe: "保留这个框",
    judge: "说明这个框怎么样",
    missing: "有遗漏",
    nothing: "没有遗漏",
    send: "在十字线处放标记。之后：这就是回答，继续",
    aim: "移动照片，或把十字线移到有遗漏的地方",
    newBox: "在中间放一个新框",
    move: "移动十字线。之后：把框移动一个像素",
    moveFar: "微调十字线。之后：把框移动十个像素",
    resize: "把框变宽、变窄、变高或变矮",
    undo: "撤销",
    redo: "重做",
    remove: "删除框或点",
    zoom: "放大和缩小",
    whole: "显示整张照片",
    hide: "按住：查看框下面的内容",
    pan: "照片放大时移动照片",
    method: "在四个点和拖动之间切换",
    back: "回到上一题",
    comment: "写备注。按Esc键离开输入框",
    flag: "说明标出的词截取有误",
    unrelated: "说明某条描述说的是另一张照片",
    unusable: "说明照片无法使用",
    unsure: "在提供这一选项的地方，回答“无法判断”。如果该题有已知答案，“无法判断”算答错",
    help: "本说明",
  },
  points: {
    click: points("点击"),
    tap: points("轻点"),
    both: points("点击或轻点"),
  },
  pointer: {
    click: "鼠标：滚动滚轮可缩放，按住空格键并拖动可移动图片。拉动框的边或角可修改框。",
    tap: "手指：两指缩放和移动图片，单指画框。",
  },
  stages: {
    link: {
      aim: "两条描述中各有几个词被标出。请判断在这张照片里，两处指的是否是同一个对象或同一些对象。",
      rules: [
        "要看照片，不要只看词。不同的词可能指同一个对象。相同的词也可能指两个不同的对象。",
        "部分不等于整体。一个男人和他的手不是同一个对象。",
        "所指的必须全部相同。“两个男人”和“其中一人”不相同。",
        "描述可能弄错颜色或数量。如果能看出指的是同一个对象，就回答“是”。",
        "如果无法判断，请选“无法判断”。没有这个选项时，请回答“否”并写备注。",
      ],
      examples: {
        words: {
          marked: ["a man", "a young man"],
          verdict: "是，相同",
          why: "用词不同，但只有一个男人。",
        },
        part: {
          marked: ["a man", "a red hat"],
          verdict: "否",
          why: "帽子戴在男人头上，但它是另一个对象。",
        },
        some: {
          marked: ["a family", "a young girl"],
          verdict: "否",
          why: "女孩只是这家人中的一个。",
        },
      },
    },
    verification: {
      aim: "其他人认为所有这些标出的词属于一组。请判断是否每一处指的都确实是同一个对象或同一些对象。",
      rules: [
        "每条描述都要读。只要有一条不符合，就回答“否”。",
        "所指的必须是同一组：“两条狗”和“一条狗”不是。",
        "部分不等于整体：一个男人和他的衬衫不属于一组。",
        "描述的小错误，例如颜色不对，只要能看出指的是什么，就没有关系。",
      ],
      examples: {
        all: {
          marked: ["some dogs", "two dogs", "dogs"],
          verdict: "是，全部相同",
          why: "三处指的都是这两条狗。",
        },
        some: {
          marked: ["some dogs", "two dogs", "a black dog"],
          verdict: "否，不全相同",
          why: "最后一处只指两条中的一条。",
        },
        other: {
          marked: ["a guitarist", "a man with a guitar", "a woman"],
          verdict: "否，不全相同",
          why: "女人是另一个人。",
        },
      },
    },
    requirement: {
      aim: "请判断能否给标出的词所指的对象画框。",
      rules: [
        "可以画框：所指的对象至少有一个能看到，并且有轮廓。一群也算，例如人群。",
        "场景或地点：标出的词指的是整个环境，例如公园、街道或大海。",
        "不能画框：不在照片里，或根本看不见，例如音乐、散步或聚会。",
        "被部分遮挡的对象也可以画框。有一个就够了。",
      ],
      examples: {
        box: {
          marked: ["a beach ball"],
          verdict: "可以画框",
          why: "球能看到，边界也很清楚。",
        },
        scene: {
          marked: ["a park"],
          verdict: "场景或地点",
          why: "女人和狗的周围到处都是公园。",
        },
        nobox: { marked: ["music"], verdict: "不能画框", why: "音乐是听到的，不是看到的。" },
      },
    },
    drawing: {
      aim: "标出的词所指的对象中，给一个还没有框的对象画一个新框。如果都有框，或不需要框，请说明。",
      rules: [
        "一个对象，一个框：“两个人”只给其中一人画框；另一人之后再画。",
        "无法区分成员的一群，例如人群，只画一个框。",
        "紧贴：每条边都碰到对象。",
        "整个对象，凡是能看到的部分：包括手臂、把手和尾巴。被遮住的不要猜。",
        "只框词所指的：“一顶帽子”只框帽子，不框戴帽子的人。",
      ],
      examples: {
        points: {
          marked: ["a young girl"],
          verdict: "四个点",
          why: "头、鞋、手和另一只鞋：框经过这四个点。",
        },
        single: {
          marked: ["two dogs"],
          verdict: "好",
          why: "一条狗已有框，所以新框画在另一条上。",
        },
        group: {
          marked: ["a crowd"],
          verdict: "好",
          why: "人太多，无法区分：一个框框住所有人。",
        },
        loose: { marked: ["a drum"], verdict: "不好", why: "太大：各边没有碰到鼓。" },
        cut: { marked: ["a woman"], verdict: "不好", why: "她的双腿和一条手臂在框外。" },
      },
    },
    quality: {
      aim: "有人画了一个新框。请判断它对标出的词来说好不好。之前的框也会显示。",
      rules: [
        "紧贴：每条边都碰到对象。要仔细找才能发现的空隙没有关系。",
        "完整：对象能看到的部分都不在框外。",
        "所指：框住的是标出的词所指的对象。",
        "一个对象：能区分的两个对象需要两个框。人群可以只有一个。",
        "新：之前没有框框住同一个对象。",
      ],
      examples: {
        tight: { marked: ["a drum"], verdict: "好", why: "紧贴、完整，正是所指的对象。" },
        loose: { marked: ["a drum"], verdict: "不好", why: "每一边都太大。" },
        several: {
          marked: ["two dogs"],
          verdict: "不好",
          why: "两条狗在一个框里：每条都需要自己的框。",
        },
        again: {
          marked: ["two boats"],
          verdict: "不好",
          why: "这条船已有框；另一条还没有。",
        },
      },
    },
    coverage: {
      aim: "请判断标出的词所指的一切是否都有框。",
      rules: [
        "数一数能区分的对象：“两个人”需要两个框。",
        "无法区分成员的一群只需要一个框。",
        "注意较小的、靠边的或被部分遮挡的对象。",
        "这里不问框是否紧贴。",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "是，都有了", why: "两条船，两个框。" },
        group: {
          marked: ["the audience"],
          verdict: "是，都有了",
          why: "人群只需要一个框。",
        },
        missing: {
          marked: ["the band members"],
          verdict: "否，有遗漏",
          why: "打鼓的女人没有框。",
        },
      },
    },
    boxes: {
      aim: "标出的词所指的对象中，给每个还没有框的对象画框。然后说明就是这些，或不需要框。",
      rules: [
        "一个对象，一个框：“两个人”要画两个。无法区分成员的一群只画一个。",
        "画好的框会保留，可以马上画下一个。要修改它，请按它的编号。",
        "紧贴且完整：每条边都碰到对象，对象能看到的部分都不在框外。",
        "只框词所指的：“一顶帽子”只框帽子，不框戴帽子的人。",
        "照片上的“?”：有人认为那里有遗漏。请自己看一看。",
        "如果没有要画的，请说明原因：是场景或地点，看不见或无法画框，或者都已有框。",
      ],
      examples: {
        all: { marked: ["two dogs"], verdict: "好", why: "两条狗，两个框。" },
        other: {
          marked: ["two boats"],
          verdict: "好",
          why: "左边的船已有框，所以只给另一条画框。",
        },
        group: {
          marked: ["a crowd"],
          verdict: "好",
          why: "人太多，无法区分：一个框框住所有人。",
        },
        missing: {
          marked: ["the band members"],
          verdict: "不好",
          why: "打鼓的女人没有框。",
        },
        both: {
          marked: ["two dogs"],
          verdict: "不好",
          why: "两条狗在一个框里：每条都需要自己的框。",
        },
      },
    },
    check: {
      aim: "有人画了这些带编号的框。请标记不好的框并说明原因，再说明标出的词所指的对象中有没有完全没有框的。",
      rules: [
        "好：紧贴、完整、只框住一个所指的对象，并且没有别的框框住它。",
        "太大：框太宽松。截断：对象有一部分在框外。要仔细找才能发现的空隙没有关系。",
        "框错：框住的是别的，或是几个能区分的对象。",
        "重复：两个框框住了同一个对象。只把其中一个判为重复。",
        "遗漏：有所指的对象没有框。框太大的对象不算遗漏。",
        "如果可以，请指出遗漏的位置：在那里按住片刻，或选择“有遗漏”再按那里。",
      ],
      examples: {
        all: { marked: ["two boats"], verdict: "好", why: "两条船，两个框，都紧贴。" },
        loose: { marked: ["a drum"], verdict: "太大", why: "每一边都太大。" },
        cut: { marked: ["a woman"], verdict: "截断", why: "她的双腿和一条手臂在框外。" },
        again: { marked: ["a boat"], verdict: "重复", why: "这条船已有框。" },
        missing: {
          marked: ["the band members"],
          verdict: "有遗漏",
          why: "这个框是好的，但打鼓的女人没有框。",
        },
      },
    },
  },
} satisfies Instructions;
