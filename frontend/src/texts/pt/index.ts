import pages from "./pages";
import stages from "./stages";
import surface from "./surface";
import work from "./work";

export default { pages, stages, surface, work };
